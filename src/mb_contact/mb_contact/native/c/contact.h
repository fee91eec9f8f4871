/* The contact detector of @machine@.

   Written by `ros2 run mb_contact export`.  A detector is one block of memory; nothing is allocated
   after create.  Several may live at once, and each may be used by one thread at a time. */

#ifndef @NAME@_H
#define @NAME@_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_DEGREES @degrees@          /* of freedom: z, zd, zdd, forces */
#define @NAME@_COORDINATES @coordinates@      /* q */
#define @NAME@_DRIVES @drives@           /* efforts */
#define @NAME@_STATE_SIZE @state_size@    /* of what save writes [bytes] */

extern const char *const @name@_degree_names[];
extern const char *const @name@_drive_names[];

typedef enum { @NAME@_DIRECT, @NAME@_MOMENTUM_OBSERVER, @NAME@_METHODS } @name@_method;

/* Why a state did not give all forces, JUDGED: it did. */
typedef enum {
  @NAME@_JUDGED,
  @NAME@_SETTLING,
  @NAME@_UNCERTAIN,
  @NAME@_STARTING,
  @NAME@_LATE,
  @NAME@_NOT_FINITE,
  @NAME@_NO_POSITION,
  @NAME@_FAULT,
  @NAME@_BAD_ARGUMENT
} @name@_status;

typedef struct @name@ @name@;

/* Return a detector at its start, NULL without memory. */
@name@ *@name@_create(void);
void @name@_destroy(@name@ *e);

/* Forget everything: as if it had just been made. */
void @name@_reset(@name@ *e);

/* Add an estimated state: its stamp [ns], all coordinates q (NULL: they are solved for; needed where
   orientations are degrees of freedom, whose z is 0), z, zd, zdd; the covariance of z, zd, zdd, row
   by row, with `states` rows: 3 DEGREES, 2 DEGREES, or 0: unknown, then NULL; the efforts of the
   drives [N or N m], their mean since the state before, and now, NULL: the mean.  An older stamp is
   a better estimate of that instant, as in the node contact_detector. */
@name@_status @name@_judge(@name@ *e, int64_t stamp, const double *q, const double *z,
    const double *zd, const double *zdd, const double *covariance, int states,
    const double *efforts, const double *now);

/* Whether something touches, since which stamp [ns], and which method has detected it. */
int @name@_detected(const @name@ *e);
int64_t @name@_since(const @name@ *e);
@name@_method @name@_first(const @name@ *e);

/* The force from outside on the degrees of freedom [N, N m] by a method, NULL where the last state
   gave none; whether it exceeds a threshold; and its covariance, row by row: returns 0 and writes
   nothing where it is unknown. */
const double *@name@_force(const @name@ *e, @name@_method method);
int @name@_exceeds(const @name@ *e, @name@_method method);
int @name@_covariance(const @name@ *e, @name@_method method, double *covariance);

/* The whole state, in memory of STATE_SIZE bytes, to which restore goes back. */
void @name@_save(const @name@ *e, void *state);
void @name@_restore(@name@ *e, const void *state);

/* What a status and a method say. */
const char *@name@_words(@name@_status status);
const char *@name@_method_name(@name@_method method);

#ifdef __cplusplus
}
#endif
#endif
