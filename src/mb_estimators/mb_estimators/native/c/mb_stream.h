/* From stamped readings, in any order, to estimates: for every filter of mb_estimator.h.

   The estimates are a function of the stamped readings alone, not of the time or, within the
   reorder window, the order of arrival.  Readings of past instants within the history correct these
   and all later ones.  It decides as the estimator node does, with its settings of the same names;
   what the node knows of the turns of encoders, and its restart at the last good estimate, are not
   here.

   Nothing is allocated after create.  A stream may be used by one thread at a time. */

#ifndef MB_STREAM_H
#define MB_STREAM_H

#include "mb_estimator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mb_stream mb_stream;

typedef struct mb_stream_settings {
  double dt;                /* longest step of the model between two readings [s] */
  double reorder_window;    /* how long, by stamps, an instant waits for a sensor [s] */
  double history_length;    /* how old, by stamps, a late reading may be to be still used [s] */
  double longest_gap;       /* readings farther ahead are left out; ten in a row start anew [s] */
  double sensor_timeout;    /* how long after the last reading the present is predicted [s] */
  double start_time;        /* stamp at which the start holds [s]; 0: that of the first reading */
  double nis_bound, nis_time;   /* diverged if the NIS per reading stays above it so long [s] */
  int leave_out_repeats;    /* whether messages that no chance repeats are left out; of the first 64
                               sensors of a topic */
  int first_reading;        /* whether readings of the stamp of the start correct it */
  int waits_for_inputs;     /* whether instants wait for inputs as they do for sensors */
  /* Of each sensor the largest credible r' S^-1 r of a reading, by its innovation r and covariance
     S; others are left out, unless no sensor has agreed for ten in a row.  0: it has no gate; NULL:
     none has.  Copied. */
  const double *gates;
  int instants;             /* memory for so many that wait, and so many of the history */
  /* Called at each estimate, which the estimator of the stream has then; NULL: not. */
  void (*estimated)(void *user, int64_t stamp);
  void *user;
} mb_stream_settings;

typedef struct mb_stream_counts {
  int64_t used;             /* readings */
  int64_t rejected;         /* not finite, with stamps that cannot be, impossible, or incredible */
  int64_t late;             /* after their instants, and of no use any more; also inputs */
  int64_t missing;          /* by the gaps between stamps */
  int64_t crowded;          /* instants and inputs that had to go as the memory was full */
  int64_t begun;            /* how often stamps have begun anew */
} mb_stream_counts;

/* Return the settings that the node has without any, with the longest step of the estimator. */
mb_stream_settings mb_stream_defaults(const mb_estimator_api *api);

/* Return a stream, NULL without memory or where settings or rates are out of range. */
mb_stream *mb_stream_create(const mb_estimator_api *api, const mb_stream_settings *settings);
void mb_stream_destroy(mb_stream *s);

/* Begin at the start again, at the next reading, whatever its stamp. */
void mb_stream_reset(mb_stream *s);

/* Add the reading of a sensor, by its number in the api, at a stamp [ns]: a value for each of its
   channels.  Estimates that it completes are handed to `estimated`. */
void mb_stream_add(mb_stream *s, int sensor, int64_t stamp, const double *values);

/* Add readings of several sensors of a stamp that have come in one message. */
void mb_stream_add_all(mb_stream *s, int64_t stamp, int count, const int *sensors,
                       const double *const *values);

/* Add inputs of a stamp [ns], held until the next ones.  Late ones act as if they had been in time
   where the history goes back so far. */
void mb_stream_add_inputs(mb_stream *s, int64_t stamp, const double *inputs);

/* Call `estimated` with the estimate of a stamp [ns] as it is predicted from the present one, which
   is kept.  Return 0 where there is none. */
int mb_stream_predict(mb_stream *s, int64_t stamp);

/* The estimator, for reading. */
void *mb_stream_estimator(mb_stream *s);

/* Return whether the filter has ended, until a reset; *status: of it, OK where the readings have
   contradicted it for long. */
int mb_stream_has_diverged(const mb_stream *s, mb_estimator_status *status);

mb_stream_counts mb_stream_counted(const mb_stream *s);

#ifdef __cplusplus
}
#endif
#endif
