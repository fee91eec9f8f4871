/* What a program can ask of any exported estimator, whichever machine and filter it is of.

   The folder of an estimator has a plugin beside its library: a shared library whose only symbol is
   mb_estimator().  Several plugins may be open in one process.  Lengths are in m, angles in rad,
   times in s, forces in N and N m. */

#ifndef MB_ESTIMATOR_H
#define MB_ESTIMATOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MB_ESTIMATOR_VERSION 3  /* of mb_estimator_api: compare before anything else is read */

typedef enum {
  MB_ESTIMATOR_OK = 0,
  MB_ESTIMATOR_SINGULAR,        /* the mechanism is in a singular position */
  MB_ESTIMATOR_NOT_POSITIVE,    /* the covariance is not positive definite */
  MB_ESTIMATOR_IMPOSSIBLE,      /* no position fits the readings: they are left out */
  MB_ESTIMATOR_NO_STEP,         /* the model could not step */
  MB_ESTIMATOR_BAD_ARGUMENT,    /* dt not above 0, numbers that are not finite: nothing is done */
  MB_ESTIMATOR_FAULT            /* a kernel has failed */
} mb_estimator_status;

/* A sensor, whose readings are channels[first] to channels[first + count - 1]. */
typedef struct {
  const char *name, *kind;      /* as in the mechanism file */
  const char *topic, *message;  /* of its readings in ROS 2, package/msg/Name */
  const char *field;            /* of the message, that it reads, such as position or twist.linear; an
                                   interface of a DynamicJointState; "" of messages of others */
  const char *const *parts;     /* of each channel: its joint, its axis, or the field once more;
                                   else its own name */
  int first, count;
  double rate;                  /* [Hz] */
  double sigma;                 /* of the noise of each channel, in its unit */
} mb_estimator_sensor;

/* An estimator e is one block of memory, used by one thread at a time.  After create nothing is
   allocated. */
typedef struct {
  int version;                  /* MB_ESTIMATOR_VERSION */
  const char *name, *machine, *filter;

  int degrees, coordinates, inputs, channels, sensors;  /* how many */
  int motion_states;            /* rows of the covariance: z, zd, and zdd where it is above 2 degrees */
  const char *const *degree_names;          /* of freedom: z, zd, zdd, force */
  const char *const *coordinate_names;      /* q, qd, qdd */
  const char *const *input_names;           /* of predict */
  const char *const *channel_names;         /* of readings */
  const mb_estimator_sensor *sensor_list;   /* in the order of their channels */
  double longest_step;          /* dt for which it was tuned [s] */
  int is_timed;                 /* whether its start is the time 0 of prescribed motions */

  void *(*create)(void);        /* at its start, NULL without memory */
  void (*destroy)(void *e);
  void (*reset)(void *e);       /* to its start; predict and correct repeat a status that ended it */

  /* Move on by dt [s] under known inputs, NULL: 0; take in readings of all channels, NaN: none. */
  mb_estimator_status (*predict)(void *e, double dt, const double *inputs);
  mb_estimator_status (*correct)(void *e, const double *readings);

  /* The estimate, after correct: views of the estimator's memory, valid until the next call. */
  const double *(*z)(const void *e);
  const double *(*zd)(const void *e);
  const double *(*zdd)(const void *e);
  const double *(*q)(const void *e);
  const double *(*qd)(const void *e);
  const double *(*qdd)(const void *e);
  const double *(*force)(const void *e);    /* on the degrees of freedom; NULL: not estimated */
  void (*covariance)(void *e, double *covariance);      /* motion_states x motion_states, by rows */

  int parameters;               /* of the model that are estimated, with their names */
  const char *const *parameter_names;
  double (*parameter)(const void *e, int k, double *deviation);     /* value, its deviation */

  void (*use_gate)(void *e, int used);  /* the filter's own one, on after create and reset, or none */
  double (*nis)(const void *e);     /* normalised innovation squared of the last readings */
  int (*used)(const void *e);       /* how many of them were taken */
  /* How many the filter's gate has left out, and their channels. */
  int (*rejected)(const void *e, const int64_t **channels);
  /* How the readings that were taken fitted: returns their number k; channels, reading minus
     prediction and its covariance, row after row of so many columns, by which channels are judged. */
  int (*innovation)(const void *e, const int64_t **channels, const double **residual,
                    const double **covariance, int *columns);
  const char *(*words)(mb_estimator_status status);

  /* The whole state, in any memory of state_size bytes: save(e, s), go on, restore(e, s) leads to
     the same numbers again, to the bit, also in another estimator of this process. */
  size_t state_size;
  void (*save)(const void *e, void *state);
  void (*restore)(void *e, const void *state);
} mb_estimator_api;

/* Return what the plugin has; the only symbol that it shows. */
const mb_estimator_api *mb_estimator(void);
typedef const mb_estimator_api *(*mb_estimator_function)(void);     /* of dlsym(..., "mb_estimator") */

#ifdef __cplusplus
}
#endif
#endif
