#include "@name@.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = @size@ };

extern const unsigned char @name@_image[];      /* records of the machine, its drives and settings */

struct @name@ {
  _Alignas(64) unsigned char memory[MEMORY];
  int fault;
};
_Static_assert(sizeof(@name@) == @NAME@_STATE_SIZE, "the size that the header says");

const char *const @name@_degree_names[] = {@degree_names@};
const char *const @name@_drive_names[] = {@drive_names@};

@declarations@

static const int64_t *counts(const @name@ *e, size_t offset) {
  return (const int64_t *)(e->memory + offset);
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

@name@_status @name@_judge(@name@ *e, int64_t stamp, const double *q, const double *z,
    const double *zd, const double *zdd, const double *covariance, int states,
    const double *efforts, const double *now) {
  const int64_t coordinates = q ? @NAME@_COORDINATES : 0;
  int64_t status;
  if (e->fault)
    return @NAME@_FAULT;
  if (states && states != 2 * @NAME@_DEGREES && states != 3 * @NAME@_DEGREES)
    return @NAME@_BAD_ARGUMENT;
  now = now ? now : efforts;
@judge@
  return e->fault ? @NAME@_FAULT : (@name@_status)status;
}

int @name@_detected(const @name@ *e) { return (int)*counts(e, @at_detected@); }
int64_t @name@_since(const @name@ *e) { return *counts(e, @at_since@); }
@name@_method @name@_first(const @name@ *e) { return (@name@_method)*counts(e, @at_first@); }

const double *@name@_force(const @name@ *e, @name@_method method) {
  return counts(e, @at_estimated@)[method]
             ? (const double *)(e->memory + @at_force@) + @row@ * method
             : NULL;
}

int @name@_exceeds(const @name@ *e, @name@_method method) {
  return (int)counts(e, @at_exceeds@)[method];
}

int @name@_covariance(const @name@ *e, @name@_method method, double *covariance) {
  const double *own = (const double *)(e->memory + @at_covariance@) + @row@ * @row@ * method;
  if (!counts(e, @at_estimated@)[method] || !counts(e, @at_known@)[method])
    return 0;
  for (int i = 0; i < @NAME@_DEGREES; i++)
    memcpy(covariance + i * @NAME@_DEGREES, own + i * @row@, @NAME@_DEGREES * sizeof *own);
  return 1;
}

void @name@_save(const @name@ *e, void *state) { memcpy(state, e, sizeof *e); }
void @name@_restore(@name@ *e, const void *state) { memcpy(e, state, sizeof *e); }

const char *@name@_words(@name@_status status) {
  static const char *const words[] = {@words@};
  return (unsigned)status < sizeof words / sizeof *words ? words[status] : "no status";
}

const char *@name@_method_name(@name@_method method) {
  static const char *const names[] = {@method_names@};
  return (unsigned)method < @NAME@_METHODS ? names[method] : "no method";
}
