/* From instant to instant, back to late readings, and on again. */

#include "mb_stream_parts.h"

#include <string.h>

void run_start(mb_stream *s, int64_t stamp) {
  s->api->reset(s->filter);
  s->api->use_gate(s->filter, !s->has_gates);
  gates_begin(s);
  memset(s->repeats, 0, s->repeats_size);
  s->now.now = stamp;
  s->now.beyond = NEVER;
  s->now.diverged = 0;
  s->now.status = MB_ESTIMATOR_OK;
  s->now.opening = (opening){.is_on = !s->api->is_timed};
}

static int sensors_in(const mb_stream *s, const unsigned char *flags) {
  int count = 0;
  for (int k = 0; k < s->api->sensors; k++)
    count += flags[k];
  return count;
}

int run_has_rejected(const mb_stream *s, int k) {
  const int64_t *channels;
  if (s->repeated[k] || (s->has_gates && s->doubted[k]))
    return 1;
  if (s->has_gates)
    return 0;
  const int count = s->api->rejected(s->filter, &channels);
  for (int i = 0; i < count; i++)
    if (is_channel_of(&s->sources[k], channels[i]))
      return 1;
  return 0;
}

int run_take(mb_stream *s, const instant *one, int leaves_out) {
  const mb_estimator_api *api = s->api;
  run *now = &s->now;
  const int readings = leaves_out ? 0 : sensors_in(s, one->came);
  if (now->diverged) {
    now->rejected += readings;
    return 0;
  }
  for (int k = 0; k < api->sensors; k++)
    s->notes[k].came += one->came[k] && !leaves_out;
  memcpy(s->given, leaves_out ? s->nothing : one->values, api->channels * sizeof *s->given);
  memset(s->repeated, 0, api->sensors);
  if (!leaves_out)
    repeats_leave_out(s, one, s->given);
  if (now->now == NEVER)
    now->now = one->stamp;
  mb_estimator_status status = predict_between(s, now->now, one->stamp);
  now->now = one->stamp;
  if (!status)
    status = gates_correct(s, one->stamp, s->given);
  if (!status && api->used(s->filter) > 0) {
    if (api->nis(s->filter) <= s->settings.nis_bound * api->used(s->filter))
      now->beyond = NEVER;
    else if (now->beyond == NEVER)
      now->beyond = one->stamp;
    if (now->beyond != NEVER &&
        (double)(one->stamp - now->beyond) / SECOND >= s->settings.nis_time)
      now->diverged = 1;
  }
  if (status || now->diverged) {
    if (status && status != MB_ESTIMATOR_IMPOSSIBLE) {
      now->diverged = 1;
      now->status = status;
    }
    now->rejected += readings;
    return 0;
  }
  int rejected = 0;
  for (int k = 0; k < api->sensors; k++)
    rejected += one->came[k] && !leaves_out && run_has_rejected(s, k);
  now->used += readings - rejected;
  now->rejected += rejected;
  return 1;
}

/* Take an instant; return whether there is an estimate. */
static int pass(mb_stream *s, const instant *one) {
  const int is_start = s->now.now == NEVER || s->now.now == one->stamp;
  if (!s->settings.first_reading && is_start)
    return run_take(s, one, 1);
  if (s->now.opening.is_on && sensors_in(s, one->came))
    return opening_take(s, one);
  return run_take(s, one, 0);
}

static void estimated(mb_stream *s, int64_t stamp) {
  if (s->settings.estimated)
    s->settings.estimated(s->settings.user, stamp);
}

void run_again(mb_stream *s) {
  int from = s->past.count, is_estimate = 0;
  for (int k = s->past.count - 1; k > 0; k--)
    if (s->past.at[k]->is_news)
      from = k;
  if (from == s->past.count)
    return;
  state_restore(s, s->past.at[from - 1]->after);
  for (int k = from; k < s->past.count; k++) {
    instant *one = s->past.at[k];
    one->is_news = 0;
    is_estimate = pass(s, one);
    state_save(s, one->after);
  }
  if (is_estimate)
    estimated(s, s->past.at[s->past.count - 1]->stamp);
}

void run_release(mb_stream *s) {
  instant *one = s->waiting.at[0];
  s->released = one->stamp;
  run_again(s);
  if (s->now.now != NEVER && one->stamp - s->now.now > 2 * s->gap) {
    run_start(s, NEVER);        /* some sensors began far from the others */
    history_begin(s, one->stamp - 1);
  }
  const int is_estimate = pass(s, one);
  history_note(s, one);
  row_drop(s, &s->waiting, 0);
  inputs_forget_before(s, s->history ? s->past.at[0]->stamp : s->released);
  if (is_estimate)
    estimated(s, s->released);
}

void run_complete(mb_stream *s) {
  int64_t watermark = order_watermark(s);
  if (s->settings.waits_for_inputs && s->newest != NEVER) {
    const int64_t known = s->input_count ? s->input_stamps[s->input_count - 1] : -1;
    const int64_t most = s->newest - s->window > known ? s->newest - s->window : known;
    watermark = watermark < most ? watermark : most;
  }
  while (s->waiting.count && s->waiting.at[0]->stamp <= watermark)
    run_release(s);
}

void run_take_late(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  if (!history_reaches(s, stamp)) {
    s->counts.late++;
    return;
  }
  if (s->past.count == s->past.most)
    run_again(s);       /* what is news of the oldest one, which may have to go */
  instant *one = row_put(s, &s->past, stamp);
  if (one->came[sensor]) {
    s->counts.rejected++;
    return;
  }
  instant_read(s, one, sensor, values);
  one->is_news = 1;
  order_no_longer_misses(s, sensor, stamp);
  if (!order_expects_late(s, stamp))
    run_again(s);
}
