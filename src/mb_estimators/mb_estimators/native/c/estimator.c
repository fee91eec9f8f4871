#include "@name@.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = @size@ };

extern const unsigned char @name@_image[];      /* records of the machine, filter and sensors */

struct @name@ {
  _Alignas(64) unsigned char memory[MEMORY];
  double readings[@NAME@_CHANNELS];
  @name@_status status;
  int fault, moved;
};
_Static_assert(sizeof(@name@) == @NAME@_STATE_SIZE, "the size that the header says");

const char *const @name@_degree_names[] = {@degree_names@};
const char *const @name@_coordinate_names[] = {@coordinate_names@};
const char *const @name@_input_names[] = {@input_names@};
const char *const @name@_channel_names[] = {@channel_names@};
const char *const @name@_parameter_names[] = {@parameter_names@NULL};

@declarations@

static double *numbers(const @name@ *e, size_t offset) {
  return (double *)(e->memory + offset);
}

static @name@_status ended(@name@ *e, @name@_status status) {
  e->status = e->fault ? @NAME@_FAULT : status;
  return e->status;
}

/* Readings that fit no position are left out, and the estimate stays as it was. */
static @name@_status refused(@name@ *e, int64_t status) {
  return status == @NAME@_IMPOSSIBLE && !e->fault ? @NAME@_IMPOSSIBLE
                                                  : ended(e, (@name@_status)status);
}

@name@ *@name@_create(void) {
  @name@ *e = aligned_alloc(64, sizeof(@name@));
  if (e)
    @name@_reset(e);
  return e;
}

void @name@_destroy(@name@ *e) {
  free(e);
}

void @name@_reset(@name@ *e) {
  memset(e, 0, sizeof *e);
  memcpy(e->memory, @name@_image, MEMORY);
}

@name@_status @name@_predict(@name@ *e, double dt, const double *inputs) {
  if (e->status)
    return e->status;
  if (!(dt > 0.0 && isfinite(dt)))
    return @NAME@_BAD_ARGUMENT;
  for (int k = 0; inputs && k < @NAME@_INPUTS; k++)
    if (!isfinite(inputs[k]))
      return @NAME@_BAD_ARGUMENT;
@predict@
  return ended(e, @NAME@_OK);
}

@name@_status @name@_correct(@name@ *e, const double *readings) {
  int64_t status;
  if (e->status)
    return e->status;
  for (int k = 0; k < @NAME@_CHANNELS; k++)
    if (isinf(readings[k]))
      return @NAME@_BAD_ARGUMENT;
  memcpy(e->readings, readings, sizeof e->readings);
@correct@
  return ended(e, @NAME@_OK);
}

const double *@name@_z(const @name@ *e) { return numbers(e, @at_z@); }
const double *@name@_zd(const @name@ *e) { return numbers(e, @at_zd@); }
const double *@name@_zdd(const @name@ *e) { return numbers(e, @at_zdd@); }
const double *@name@_q(const @name@ *e) { return numbers(e, @at_q@); }
const double *@name@_qd(const @name@ *e) { return numbers(e, @at_qd@); }
const double *@name@_qdd(const @name@ *e) { return numbers(e, @at_qdd@); }
@force_definition@
void @name@_covariance(@name@ *e, double *covariance) {
@covariance@
}

double @name@_parameter(const @name@ *e, int k, double *deviation) {
@parameter@
}

void @name@_use_gate(@name@ *e, int used) { *numbers(e, @at_gate@) = used ? @gate@ : 0.0; }

double @name@_nis(const @name@ *e) { return *numbers(e, @at_nis@); }
int @name@_used(const @name@ *e) { return (int)*(const int64_t *)(e->memory + @at_count@); }

int @name@_rejected(const @name@ *e, const int64_t **channels) {
  *channels = (const int64_t *)(e->memory + @at_rejected@);
  return (int)*(const int64_t *)(e->memory + @at_rejected_count@);
}

int @name@_innovation(const @name@ *e, const int64_t **channels, const double **residual,
                      const double **covariance, int *columns) {
  *channels = (const int64_t *)(e->memory + @at_present@);
  *residual = numbers(e, @at_residual@);
  *covariance = numbers(e, @at_residual_covariance@);
  *columns = @residual_columns@;
  return @name@_used(e);
}

void @name@_save(const @name@ *e, void *state) { memcpy(state, e, sizeof *e); }
void @name@_restore(@name@ *e, const void *state) { memcpy(e, state, sizeof *e); }

const char *@name@_words(@name@_status status) {
  static const char *const words[] = {
    "in order", "the mechanism is in a singular position",
    "the covariance is not positive definite", "no position of the mechanism fits the readings",
    "the model could not step: a singular position, or a step too long for its motion",
    "dt must be above 0, inputs finite, readings finite or not a number", "a kernel has failed"};
  return (unsigned)status < sizeof words / sizeof *words ? words[status] : "no status";
}
