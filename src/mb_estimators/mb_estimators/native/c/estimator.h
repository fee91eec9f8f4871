/* @filter@ on @machine@, by @sensors@.

   Written by `ros2 run mb_estimators export`.  An estimator is one block of memory; nothing is
   allocated after create.  Several may live at once, and each may be used by one thread at a time. */

#ifndef @NAME@_H
#define @NAME@_H

#include "mb_estimator.h"

#ifdef __cplusplus
extern "C" {
#endif

#define @NAME@_DEGREES @degrees@          /* of freedom: z, zd, zdd, forces */
#define @NAME@_COORDINATES @coordinates@      /* q, qd, qdd */
#define @NAME@_INPUTS @inputs@           /* of predict */
#define @NAME@_CHANNELS @channels@         /* of readings */
#define @NAME@_PARAMETERS @parameters@       /* of the model that are estimated */
#define @NAME@_MOTION_STATES @motion@    /* rows of the covariance: z, zd@and_zdd@ */
#define @NAME@_LONGEST_STEP @longest@      /* dt for which it was tuned [s] */
#define @NAME@_STATE_SIZE @state_size@    /* of what save writes [bytes] */

extern const char *const @name@_degree_names[];
extern const char *const @name@_coordinate_names[];
extern const char *const @name@_input_names[];
extern const char *const @name@_channel_names[];
extern const char *const @name@_parameter_names[];      /* NULL behind the last one */

typedef struct @name@ @name@;

/* Said in mb_estimator.h. */
typedef mb_estimator_status @name@_status;
#define @NAME@_OK MB_ESTIMATOR_OK
#define @NAME@_SINGULAR MB_ESTIMATOR_SINGULAR
#define @NAME@_NOT_POSITIVE MB_ESTIMATOR_NOT_POSITIVE
#define @NAME@_IMPOSSIBLE MB_ESTIMATOR_IMPOSSIBLE
#define @NAME@_NO_STEP MB_ESTIMATOR_NO_STEP
#define @NAME@_BAD_ARGUMENT MB_ESTIMATOR_BAD_ARGUMENT
#define @NAME@_FAULT MB_ESTIMATOR_FAULT

/* Return an estimator at its start, NULL without memory. */
@name@ *@name@_create(void);
void @name@_destroy(@name@ *e);

/* Begin at the start again.  After any other status than OK, IMPOSSIBLE and BAD_ARGUMENT this is
   the only way on: predict and correct return that status until then. */
void @name@_reset(@name@ *e);

/* Move on by dt [s] under known inputs, NULL: 0.  Of hydraulic machines these are the commands of
   the valves, of others forces on the degrees of freedom [N, N m]. */
@name@_status @name@_predict(@name@ *e, double dt, const double *inputs);

/* Take in the readings of all channels, NaN where there is none.  After IMPOSSIBLE the estimate is
   as before. */
@name@_status @name@_correct(@name@ *e, const double *readings);

/* The estimate, after correct: views of the estimator's memory, valid until the next call. */
const double *@name@_z(const @name@ *e);
const double *@name@_zd(const @name@ *e);
const double *@name@_zdd(const @name@ *e);
const double *@name@_q(const @name@ *e);
const double *@name@_qd(const @name@ *e);
const double *@name@_qdd(const @name@ *e);
@force_declaration@
/* Write the covariance of z, zd@and_zdd@, row by row. */
void @name@_covariance(@name@ *e, double *covariance);

/* The value of parameter k of the model, and its standard deviation. */
double @name@_parameter(const @name@ *e, int k, double *deviation);

/* Leave readings out by the filter's own gate, as after create and reset, or none: others judge them. */
void @name@_use_gate(@name@ *e, int used);

/* How the last readings fitted: the normalised innovation squared, how many were taken, and how many
   the filter's gate has left out, with their channels. */
double @name@_nis(const @name@ *e);
int @name@_used(const @name@ *e);
int @name@_rejected(const @name@ *e, const int64_t **channels);

/* How these fitted: returns their number; channels, reading minus prediction and its covariance, row
   after row of so many columns. */
int @name@_innovation(const @name@ *e, const int64_t **channels, const double **residual,
                      const double **covariance, int *columns);

/* The whole state, in memory of STATE_SIZE bytes, to which restore goes back. */
void @name@_save(const @name@ *e, void *state);
void @name@_restore(@name@ *e, const void *state);

/* What a status says. */
const char *@name@_words(@name@_status status);

#ifdef __cplusplus
}
#endif
#endif
