/* A stream: what it is made of, how it begins, and what comes in. */

#include "mb_stream_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Return the next part of a stream's memory; only count it where there is none yet. */
static void *part(char *memory, size_t *used, size_t bytes) {
  void *begin = memory ? memory + *used : NULL;
  *used += (bytes + 63) / 64 * 64;
  return begin;
}

static void row_lay(row *r, char *memory, size_t *used, int most) {
  r->at = part(memory, used, most * sizeof *r->at);
  r->most = most;
  r->count = 0;
}

/* Lay out all that a stream has; return how many bytes that takes. */
static size_t lay_out(mb_stream *s, char *memory) {
  const mb_estimator_api *api = s->api;
  const int instants = s->settings.instants;
  const int most = s->history ? 2 * instants : instants;
  const size_t number = sizeof(double), state = api->state_size + sizeof(run) + s->repeats_size +
                                                api->sensors * sizeof(sensor_note);
  size_t used = 0;
  s->sources = part(memory, &used, api->sensors * sizeof *s->sources);
  row_lay(&s->waiting, memory, &used, instants);
  row_lay(&s->past, memory, &used, s->history ? instants : 0);
  row_lay(&s->spare, memory, &used, most);
  s->kept = part(memory, &used, state);
  s->before_opening = part(memory, &used, state);
  s->main_run = part(memory, &used, state);
  for (int k = 0; k <= OPENING; k++)
    s->openings[k] = (opening_note){.used = part(memory, &used, api->sensors * sizeof(int64_t)),
                                    .other = part(memory, &used, state)};
  s->topics = part(memory, &used, api->sensors * sizeof *s->topics);
  s->repeats = part(memory, &used, s->repeats_size);
  s->repeated = part(memory, &used, api->sensors);
  s->given = part(memory, &used, api->channels * number);
  s->nothing = part(memory, &used, api->channels * number);
  s->judged = part(memory, &used, api->channels * number);
  s->scratch = part(memory, &used, (api->channels + 2) * api->channels * number);
  s->bounds = part(memory, &used, api->sensors * number);
  s->notes = part(memory, &used, api->sensors * sizeof *s->notes);
  s->doubted = part(memory, &used, api->sensors);
  s->most_inputs = instants;
  s->input_stamps = part(memory, &used, instants * sizeof *s->input_stamps);
  s->input_values = part(memory, &used, number * instants * api->inputs);
  s->most_values = api->channels > api->inputs ? api->channels : api->inputs;
  for (int k = 0; k < SUSPECTS; k++) {
    s->suspects[k].values = part(memory, &used, s->most_values * number);
    s->jumped[k].values = part(memory, &used, s->most_values * number);
  }
  double *doubtful = part(memory, &used, api->channels * number);
  for (int k = 0; memory && k < api->sensors; k++)
    s->sources[k].doubtful_values = doubtful + api->sensor_list[k].first;
  for (int k = 0; k < most; k++) {
    instant *one = part(memory, &used, sizeof *one);
    unsigned char *came = part(memory, &used, api->sensors);
    double *values = part(memory, &used, api->channels * number);
    void *after = s->history ? part(memory, &used, state) : NULL;
    if (memory) {
      *one = (instant){.came = came, .values = values, .after = after};
      s->spare.at[s->spare.count++] = one;
    }
  }
  return used;
}

mb_stream_settings mb_stream_defaults(const mb_estimator_api *api) {
  return (mb_stream_settings){
      .dt = api->longest_step, .reorder_window = 1.0, .longest_gap = 10.0, .sensor_timeout = 1.0,
      .nis_bound = 100.0, .nis_time = 1.0, .leave_out_repeats = 1, .first_reading = 1, .instants = 2048};
}

static int are_good(const mb_estimator_api *api, const mb_stream_settings *given) {
  const double above[] = {given->dt, given->longest_gap, given->nis_bound, given->nis_time};
  const double least[] = {given->reorder_window, given->history_length, given->sensor_timeout,
                          given->start_time};
  int good = given->instants >= 4 && given->instants <= 1 << 20 && given->start_time < 9e9 &&
             given->longest_gap / given->dt <= 1e5;
  for (int k = 0; k < 4; k++)
    good &= above[k] > 0.0 && isfinite(above[k]) && least[k] >= 0.0 && isfinite(least[k]);
  for (int k = 0; k < api->sensors; k++)
    good &= api->sensor_list[k].rate > 0.0 && isfinite(api->sensor_list[k].rate);
  return good;
}

static int64_t start_stamp(const mb_stream *s) {
  return s->settings.start_time > 0 ? llrint(s->settings.start_time * SECOND) : NEVER;
}

static void begin(mb_stream *s, int64_t stamp) {
  run_start(s, stamp);
  s->counts.missing += s->missing;
  s->missing = 0;
  s->newest = stamp;
  s->released = stamp == NEVER ? -1 : stamp - 1;
  s->suspect_count = s->input_count = 0;
  while (s->waiting.count)
    row_drop(s, &s->waiting, s->waiting.count - 1);
  for (int k = 0; k < s->api->sensors; k++) {
    source *one = &s->sources[k];
    one->oldest = one->newest = NEVER;
    one->is_late = 0;
    source_forget(one);
  }
  history_begin(s, s->released);
}

mb_stream *mb_stream_create(const mb_estimator_api *api, const mb_stream_settings *settings) {
  mb_stream *s = are_good(api, settings) ? calloc(1, sizeof *s) : NULL;
  if (!s)
    return NULL;
  s->api = api;
  s->settings = *settings;
  s->window = llrint(settings->reorder_window * SECOND);
  s->history = llrint(settings->history_length * SECOND);
  s->gap = llrint(settings->longest_gap * SECOND);
  s->filter = api->create();
  s->repeats_size = repeats_lay(s, NULL, NULL);
  const size_t size = lay_out(s, NULL);
  s->memory = aligned_alloc(64, size);
  if (!s->filter || !s->memory) {
    mb_stream_destroy(s);
    return NULL;
  }
  lay_out(s, s->memory);
  repeats_lay(s, s->topics, s->repeats);
  for (int c = 0; c < api->channels; c++)
    s->nothing[c] = NAN;
  for (int k = 0; k < api->sensors; k++) {
    source *one = &s->sources[k];
    one->sensor = &api->sensor_list[k];
    one->soon = 1.25 * SECOND / one->sensor->rate;
    one->period = llrint(SECOND / one->sensor->rate);
    s->bounds[k] = settings->gates ? settings->gates[k] : 0.0;
    s->has_gates |= s->bounds[k] > 0.0;
  }
  begin(s, start_stamp(s));
  return s;
}

void mb_stream_destroy(mb_stream *s) {
  if (!s)
    return;
  if (s->filter)
    s->api->destroy(s->filter);
  free(s->memory);
  free(s);
}

void mb_stream_reset(mb_stream *s) {
  begin(s, NEVER);
}

/* Begin anew with what came elsewhere. */
static void jump(mb_stream *s) {
  const int count = s->suspect_count;
  const int64_t first = s->suspects[0].stamp, given = start_stamp(s);
  for (int k = 0; k < count; k++) {
    suspect *to = &s->jumped[k], *from = &s->suspects[k];
    double *values = to->values;
    if (k < count - 1) {        /* the last one has not been counted */
      if (from->found == TOO_LATE)
        s->counts.late--;
      else
        s->counts.rejected--;
    }
    memcpy(values, from->values, s->most_values * sizeof(double));
    *to = *from;
    to->values = values;
  }
  s->counts.begun++;
  begin(s, given != NEVER && first >= given && first - given <= s->gap ? given : NEVER);
  for (int k = 0; k < count; k++)
    if (s->jumped[k].sensor < 0)
      mb_stream_add_inputs(s, s->jumped[k].stamp, s->jumped[k].values);
    else
      mb_stream_add(s, s->jumped[k].sensor, s->jumped[k].stamp, s->jumped[k].values);
}

static int are_finite(const double *values, int count) {
  int finite = 1;
  for (int k = 0; k < count; k++)
    finite &= isfinite(values[k]) != 0;
  return finite;
}

/* Put a reading that was let in into the order; return whether it waits. */
static int put_in_order(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  const verdict found = order_add(s, sensor, stamp, values);
  switch (found) {
  case KEPT:
    return 1;
  case FIRST_DENIED:
    source_forget(&s->sources[sensor]);
    s->counts.rejected++;
    return put_in_order(s, sensor, stamp, values);
  case CLOCK_JUMP:
    jump(s);
    return 0;
  case TOO_LATE:
    run_take_late(s, sensor, stamp, values);
    return 0;
  default:
    s->counts.rejected++;
    return 0;
  }
}

/* Let a reading in, or count it; return whether it waits. */
static int add(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  int64_t stamps[2] = {stamp, stamp};
  double *given[2] = {(double *)values, (double *)values};
  int believed = 1, lies = 0, waits = 0;
  if (s->now.diverged || sensor < 0 || sensor >= s->api->sensors ||
      !are_finite(values, s->api->sensor_list[sensor].count)) {
    s->counts.rejected++;
    return 0;
  }
  if (s->waiting.count > s->waiting.most - 2) {     /* rather early than lost */
    run_release(s);
    s->counts.crowded++;
  }
  source *one = &s->sources[sensor];
  if (!is_far_ahead(s, stamp) && !source_goes_on(one, stamp))
    believed = source_take(one, stamp, values, stamps, given, &lies);
  s->counts.rejected += lies;
  for (int k = 0; k < believed; k++)
    waits |= put_in_order(s, sensor, stamps[k], given[k]);
  return waits;
}

void mb_stream_add_all(mb_stream *s, int64_t stamp, int count, const int *sensors,
                       const double *const *values) {
  int waits = 0;
  for (int k = 0; k < count; k++)
    waits |= add(s, sensors[k], stamp, values[k]);
  if (waits)
    run_complete(s);
}

void mb_stream_add(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  mb_stream_add_all(s, stamp, 1, &sensor, &values);
}

void mb_stream_add_inputs(mb_stream *s, int64_t stamp, const double *inputs) {
  if (!are_finite(inputs, s->api->inputs)) {
    s->counts.rejected++;
    return;
  }
  order_suspect_inputs(s, stamp, inputs);
  if (is_far_ahead(s, stamp)) {
    s->counts.rejected++;
    return;
  }
  const int is_late = s->now.now != NEVER && stamp < s->now.now;
  inputs_add(s, stamp, inputs);
  if (is_late && history_reaches(s, stamp)) {
    const int k = row_from(&s->past, stamp + 1);
    if (k < s->past.count)
      s->past.at[k]->is_news = 1;
    run_again(s);
  } else if (is_late)
    s->counts.late++;
  run_complete(s);
}

int mb_stream_predict(mb_stream *s, int64_t stamp) {
  if (s->now.now == NEVER || s->now.diverged || stamp < s->now.now ||
      stamp - s->now.now > 2 * s->gap ||
      stamp > s->newest + llrint(s->settings.sensor_timeout * SECOND))
    return 0;
  state_save(s, s->kept);
  const int is_estimate = predict_between(s, s->now.now, stamp) == MB_ESTIMATOR_OK;
  if (is_estimate && s->settings.estimated)
    s->settings.estimated(s->settings.user, stamp);
  state_restore(s, s->kept);
  return is_estimate;
}

void *mb_stream_estimator(mb_stream *s) { return s->filter; }

int mb_stream_has_diverged(const mb_stream *s, mb_estimator_status *status) {
  *status = s->now.status;
  return s->now.diverged;
}

mb_stream_counts mb_stream_counted(const mb_stream *s) {
  mb_stream_counts counts = s->counts;
  counts.used += s->now.used;
  counts.rejected += s->now.rejected;
  counts.missing += s->missing;
  return counts;
}
