/* What the files of a stream share; not for users. */

#ifndef MB_STREAM_PARTS_H
#define MB_STREAM_PARTS_H

#include "mb_stream.h"

#include <stddef.h>

#define SECOND 1e9              /* [ns] */
#define NEVER INT64_MIN         /* a stamp that has not come */

enum { ELSEWHERE = 10 };        /* readings in a row with stamps elsewhere that are believed */
enum { SUSPECTS = 1010 };       /* with the inputs that may come with them */
enum { OPENING = 10 };          /* instants whose readings later ones may deny */
enum { REMEMBERED = 12 };       /* messages before a repeat that show what noise there is */
enum { MOST_SETS = 8 };         /* of the sensors of a topic that a message is of, beside two for each */

typedef enum { KEPT, NOT_NEWER, TOO_LATE, TOO_FAR, CLOCK_JUMP, FIRST_DENIED } verdict;

/* The stamps of a sensor [ns], and its reading that is ahead of all and waits for the next one. */
typedef struct {
  double soon;                  /* between two that miss none [ns] */
  const mb_estimator_sensor *sensor;
  int64_t oldest, newest;
  int is_late;                  /* its last reading came after its instant, and is of use */
  int topic, member;            /* the number of its topic, and its own in that */
  int64_t period, believed, bound, doubtful;
  double *doubtful_values;
} source;

static inline int is_channel_of(const source *one, int64_t channel) {
  return channel >= one->sensor->first && channel < one->sensor->first + one->sensor->count;
}

/* A stamp [ns] with readings, and whether there is one of each sensor. */
typedef struct {
  int64_t stamp;
  int is_news;                  /* something of it came late, and is not taken yet */
  unsigned char *came;          /* of sensors */
  double *values;               /* of channels, NaN where there is none */
  void *after;                  /* the state after it, of the history */
} instant;

/* Instants in the order of their stamps. */
typedef struct {
  instant **at;
  int count, most;
} row;

typedef struct {
  verdict found;
  int sensor;                   /* -1: inputs */
  int64_t stamp;
  double *values;
} suspect;

/* How far the first readings are confirmed; what does not fit here is in mb_stream.openings. */
typedef struct {
  int is_on;
  int instants;                 /* that have been taken */
  int doubted;                  /* whether the first one did not fit the start */
  int has_other;                /* whether another run begins later */
} opening;

/* After so many instants of the opening: how many readings of each sensor have been used, and the
   state of the other run. */
typedef struct {
  int64_t *used;
  void *other;
} opening_note;

/* What goes back with the filter. */
typedef struct {
  int64_t now, beyond;          /* stamp of the filter; since when the NIS is beyond its bound */
  int64_t used, rejected;
  int diverged;
  mb_estimator_status status;   /* with which the filter has ended */
  opening opening;
} run;

/* Of a sensor: how many readings the run has taken; with a gate also the stamp of the last one, and
   how many in a row were incredible. */
typedef struct {
  int64_t came, seen, row;
} sensor_note;

/* Of the messages of some sensors of a topic: the last ones, row after row behind this, and how often
   the last one came again, by which chance once (logarithm to base 10). */
typedef struct {
  uint64_t sensors;             /* a bit each; 0: none yet */
  int64_t seen, repeats;        /* stamp of the last one [ns] */
  double chance;
  int rows, channels;
} repeat_note;

/* The notes of a topic, of `size` bytes each. */
typedef struct {
  int sets;
  size_t size;
  char *notes;
} topic_note;

struct mb_stream {
  const mb_estimator_api *api;
  void *filter;
  mb_stream_settings settings;
  mb_stream_counts counts;      /* run's own counts apart */
  source *sources;
  int64_t window, history, gap; /* [ns] */
  int64_t released, newest;     /* the last instant, and the newest of all stamps */
  int64_t missing;              /* since stamps have begun */
  run now;
  row waiting, past, spare;
  suspect suspects[SUSPECTS], jumped[SUSPECTS];
  int suspect_count;
  int64_t *input_stamps;
  double *input_values;
  int input_count, most_inputs, most_values;
  double *nothing;              /* NaN of all channels */
  int has_gates;
  double *bounds;               /* of the gates of sensors, 0: none */
  sensor_note *notes;
  unsigned char *doubted;       /* sensors that their gates have left out of the last correction */
  double *judged, *scratch;     /* channels; for an innovation of one sensor */
  topic_note *topics;           /* none: repeats are not looked for */
  int topic_count;
  char *repeats;                /* all notes of topics */
  size_t repeats_size;
  unsigned char *repeated;      /* sensors whose message repeats itself at this instant */
  double *given;                /* channels that are let in */
  void *kept;                   /* a state, while another is looked at */
  opening_note openings[OPENING + 1];
  void *before_opening, *main_run;      /* states: of the start, and while the other run is tried */
  void *memory;
};

/* The order of readings (mb_stream_order.c) */
void source_forget(source *one);
int source_goes_on(source *one, int64_t stamp);
/* Return how many readings are believed: of stamps[] and values[]; *lies: how many are not. */
int source_take(source *one, int64_t stamp, const double *values, int64_t *stamps, double **given,
                int *lies);
int is_far_ahead(const mb_stream *s, int64_t stamp);
verdict order_add(mb_stream *s, int sensor, int64_t stamp, const double *values);
void order_suspect_inputs(mb_stream *s, int64_t stamp, const double *values);
void order_no_longer_misses(mb_stream *s, int sensor, int64_t stamp);
int order_expects_late(const mb_stream *s, int64_t stamp);
int64_t order_watermark(const mb_stream *s);

/* Instants (mb_stream_instants.c) */
int row_from(const row *r, int64_t stamp);
instant *row_put(mb_stream *s, row *r, int64_t stamp);
void row_drop(mb_stream *s, row *r, int k);
void instant_read(mb_stream *s, instant *one, int sensor, const double *values);
void history_begin(mb_stream *s, int64_t stamp);
int history_reaches(const mb_stream *s, int64_t stamp);
void history_note(mb_stream *s, const instant *one);
void state_save(mb_stream *s, void *to);
void state_restore(mb_stream *s, const void *from);
/* Return how many readings of a sensor the run of a state has taken. */
int64_t state_came(const mb_stream *s, const void *state, int sensor);

/* Inputs that are held (mb_stream_inputs.c) */
void inputs_add(mb_stream *s, int64_t stamp, const double *values);
void inputs_forget_before(mb_stream *s, int64_t stamp);
/* Predict from a stamp to another; return the status of the filter. */
mb_estimator_status predict_between(mb_stream *s, int64_t start, int64_t stop);

/* Gates of sensors (mb_stream_gates.c) */
void gates_begin(mb_stream *s);
/* Correct by the readings of a stamp, values of all channels, that gates let in. */
mb_estimator_status gates_correct(mb_stream *s, int64_t stamp, const double *values);

/* Messages that repeat themselves (mb_stream_repeats.c) */
/* Lay out what is noted of topics, NULL: nowhere yet; return how many bytes that takes. */
size_t repeats_lay(mb_stream *s, topic_note *topics, char *memory);
/* Note the readings of an instant, and take those out of values that repeat themselves. */
void repeats_leave_out(mb_stream *s, const instant *one, double *values);

/* First readings (mb_stream_opening.c) */
/* Do as run_take while the run is in its opening; return whether there is an estimate. */
int opening_take(mb_stream *s, const instant *one);

/* The run of the filter (mb_stream_run.c) */
/* Predict to an instant and correct by its readings, unless they are left out; return whether there
   is an estimate. */
int run_take(mb_stream *s, const instant *one, int leaves_out);
/* Return whether the last correction has left out a sensor, or a channel of it. */
int run_has_rejected(const mb_stream *s, int sensor);
/* Put the filter at its start, to hold at a stamp, or NEVER: at the first reading. */
void run_start(mb_stream *s, int64_t stamp);
/* Take the oldest waiting instant, and all that are complete. */
void run_release(mb_stream *s);
void run_complete(mb_stream *s);
/* Use a reading of a past instant, if the history goes back to it, or count it. */
void run_take_late(mb_stream *s, int sensor, int64_t stamp, const double *values);
/* Go back to before the oldest news and through all since. */
void run_again(mb_stream *s);

#endif
