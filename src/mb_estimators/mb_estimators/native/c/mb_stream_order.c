/* Readings of several sensors brought into the order of their stamps. */

#include "mb_stream_parts.h"

#include <math.h>
#include <string.h>

enum { JUMP = 10 };         /* periods between two stamps: more have to be confirmed */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

void source_forget(source *one) {
  one->believed = one->doubtful = NEVER;
  one->bound = JUMP * one->period;
}

static void believe(source *one, int64_t before, int64_t stamp) {
  one->believed = stamp;
  one->doubtful = NEVER;
  one->bound = JUMP * larger(one->period, stamp - before);
}

int source_goes_on(source *one, int64_t stamp) {
  if (one->believed == NEVER || one->doubtful != NEVER || stamp <= one->believed ||
      stamp > one->believed + one->bound)
    return 0;
  believe(one, one->believed, stamp);
  return 1;
}

int source_take(source *one, int64_t stamp, const double *values, int64_t *stamps, double **given,
                int *lies) {
  const int waits = one->doubtful != NEVER;
  stamps[0] = stamp;
  given[0] = (double *)values;
  *lies = 0;
  if (one->believed == NEVER) {
    one->believed = stamp;
    return 1;
  }
  if (stamp <= one->believed)           /* old: says nothing of what is ahead */
    return 1;
  if (waits && stamp == one->doubtful) {        /* sent twice: no witness */
    *lies = 1;
    return 0;
  }
  if (stamp <= one->believed + one->bound) {
    believe(one, one->believed, stamp);
    *lies = waits;
    return 1;
  }
  if (waits && stamp > one->doubtful &&
      stamp - one->doubtful <= larger(one->bound, one->doubtful - one->believed)) {
    stamps[0] = one->doubtful;
    given[0] = one->doubtful_values;
    stamps[1] = stamp;
    given[1] = (double *)values;
    believe(one, one->doubtful, stamp);
    return 2;
  }
  one->doubtful = stamp;
  memcpy(one->doubtful_values, values, one->sensor->count * sizeof(double));
  *lies = waits;
  return 0;
}

int is_far_ahead(const mb_stream *s, int64_t stamp) {
  return s->newest != NEVER && stamp > s->newest + s->gap;
}

static int is_far_behind(const mb_stream *s, int64_t stamp) {
  return s->newest != NEVER && stamp < s->newest - larger(s->window, s->history);
}

static int is_alone(const source *one) {
  return one->oldest != NEVER && one->oldest == one->newest;
}

static int64_t missing_between(const source *one, int64_t stamp, int64_t next) {
  const double periods = (double)(next - stamp) / SECOND * one->sensor->rate;
  return larger(0, (int64_t)floor(periods + 0.5) - 1);
}

/* Drop a sensor's only reading so far if its next stamp and other sensors deny it: there was
   nothing to compare the first with. */
static int withdraws_first(mb_stream *s, int sensor, int64_t stamp) {
  source *own = &s->sources[sensor];
  int64_t others = NEVER;
  if (!is_alone(own))
    return 0;
  for (int k = 0; k < s->api->sensors; k++) {
    const source *other = &s->sources[k];
    if (other != own && other->newest != NEVER &&
        !(is_alone(other) && other->newest > stamp + s->gap))       /* a lie itself */
      others = larger(others, other->newest);
  }
  if (others == NEVER || own->newest <= others + s->gap || stamp < others - s->gap)
    return 0;
  const int k = row_from(&s->waiting, own->newest);
  if (k < s->waiting.count && s->waiting.at[k]->stamp == own->newest) {
    instant *one = s->waiting.at[k];
    one->came[sensor] = 0;
    for (int c = 0; c < own->sensor->count; c++)
      one->values[own->sensor->first + c] = NAN;
    if (!memchr(one->came, 1, s->api->sensors))
      row_drop(s, &s->waiting, k);
  }
  own->oldest = own->newest = NEVER;
  own->is_late = 0;
  s->newest = others;
  return 1;
}

static void suspect_put(mb_stream *s, verdict found, int sensor, int64_t stamp,
                        const double *values) {
  suspect *one = &s->suspects[s->suspect_count++];
  one->found = found;
  one->sensor = sensor;
  one->stamp = stamp;
  memcpy(one->values, values,
         (sensor < 0 ? s->api->inputs : s->api->sensor_list[sensor].count) * sizeof(double));
}

/* Note a reading elsewhere; return its verdict, or CLOCK_JUMP. */
static verdict suspected(mb_stream *s, verdict found, int sensor, int64_t stamp,
                         const double *values) {
  int readings = 0, ends = s->suspect_count == SUSPECTS;
  if (s->suspect_count) {
    const int64_t last = s->suspects[s->suspect_count - 1].stamp;
    ends |= stamp - last > s->gap || last - stamp > s->gap;
  }
  for (int k = 0; k < s->suspect_count; k++)
    ends |= s->suspects[k].sensor == sensor && s->suspects[k].stamp >= stamp;
  if (ends)
    s->suspect_count = 0;
  suspect_put(s, found, sensor, stamp, values);
  for (int k = 0; k < s->suspect_count; k++)
    readings += s->suspects[k].sensor >= 0;
  return readings >= ELSEWHERE ? CLOCK_JUMP : found;
}

void order_suspect_inputs(mb_stream *s, int64_t stamp, const double *values) {
  const int ahead = is_far_ahead(s, stamp);
  if ((ahead || is_far_behind(s, stamp)) && s->suspect_count < SUSPECTS - ELSEWHERE)
    suspect_put(s, ahead ? TOO_FAR : TOO_LATE, -1, stamp, values);
}

void order_no_longer_misses(mb_stream *s, int sensor, int64_t stamp) {
  source *one = &s->sources[sensor];
  if (stamp < one->oldest) {
    s->missing += missing_between(one, stamp, one->oldest);
    one->oldest = stamp;
  } else if (one->oldest < stamp && stamp < one->newest)
    s->missing = larger(0, s->missing - 1);
}

/* Add a reading older than the sensor's newest one. */
static verdict add_old(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  const int k = row_from(&s->waiting, stamp);
  const int waits = k < s->waiting.count && s->waiting.at[k]->stamp == stamp;
  if (!s->history || (waits && s->waiting.at[k]->came[sensor]))
    return NOT_NEWER;
  if (stamp <= s->released)
    return TOO_LATE;
  order_no_longer_misses(s, sensor, stamp);
  instant_read(s, row_put(s, &s->waiting, stamp), sensor, values);
  return KEPT;
}

verdict order_add(mb_stream *s, int sensor, int64_t stamp, const double *values) {
  source *one = &s->sources[sensor];
  if (is_far_ahead(s, stamp))
    return suspected(s, TOO_FAR, sensor, stamp, values);
  if (one->newest != NEVER && stamp <= one->newest) {
    if (withdraws_first(s, sensor, stamp))
      return FIRST_DENIED;
    const verdict found = add_old(s, sensor, stamp, values);
    if (is_far_behind(s, stamp))
      return suspected(s, found, sensor, stamp, values);
    s->suspect_count = 0;
    return found;
  }
  s->suspect_count = 0;
  if (one->newest == NEVER)
    one->oldest = stamp;
  else if ((double)(stamp - one->newest) > one->soon)
    s->missing += missing_between(one, one->newest, stamp);
  const int is_over = stamp <= s->released;
  one->newest = stamp;
  one->is_late = s->history && is_over;
  if (s->newest == NEVER || stamp > s->newest)
    s->newest = stamp;
  if (is_over)
    return TOO_LATE;
  instant_read(s, row_put(s, &s->waiting, stamp), sensor, values);
  return KEPT;
}

int order_expects_late(const mb_stream *s, int64_t stamp) {
  for (int k = 0; k < s->api->sensors; k++) {
    const source *one = &s->sources[k];
    if (one->is_late && stamp - s->window <= one->newest && one->newest < stamp)
      return 1;
  }
  return 0;
}

int64_t order_watermark(const mb_stream *s) {
  if (s->newest == NEVER)
    return -1;
  const int64_t waited_for = s->newest - s->window;
  int64_t slowest = NEVER;
  for (int k = 0; k < s->api->sensors; k++) {
    const source *one = &s->sources[k];
    if (one->is_late)
      continue;
    if (one->newest == NEVER)
      return waited_for;
    slowest = slowest == NEVER ? one->newest : smaller(slowest, one->newest);
  }
  return larger(waited_for, slowest);       /* NEVER is less than all */
}
