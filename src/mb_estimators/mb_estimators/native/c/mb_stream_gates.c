/* Readings judged by how far they are from their prediction, before they correct the filter.

   A reading r with the innovation covariance S is credible if r' S^-1 r stays below the bound of
   its sensor; S is of its sensor alone.  As long as any sensor agrees with the estimate, the others
   are wrong; once none has agreed for ten readings in a row, the estimate is.
   Source: Bar-Shalom et al. 2001, Sec. 5.4. */

#include "mb_stream_parts.h"

#include <math.h>
#include <string.h>

enum { ENOUGH_IN_A_ROW = 10 };
static const double SILENT = 5.5;       /* periods for which a good sensor may be silent */

/* Return r' S^-1 r of `size` residuals by S (size, size), which is lost: elimination by pivots. */
static double distance(double *S, double *r, int size) {
  double *x = S + size * size, sum = 0.0;
  memcpy(x, r, size * sizeof *x);
  for (int k = 0; k < size; k++) {
    int pivot = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(S[i * size + k]) > fabs(S[pivot * size + k]))
        pivot = i;
    for (int j = 0; j < size; j++) {
      const double other = S[pivot * size + j];
      S[pivot * size + j] = S[k * size + j];
      S[k * size + j] = other;
    }
    const double other = x[pivot];
    x[pivot] = x[k];
    x[k] = other;
    for (int i = k + 1; i < size; i++) {
      const double share = S[i * size + k] / S[k * size + k];
      for (int j = k; j < size; j++)
        S[i * size + j] -= share * S[k * size + j];
      x[i] -= share * x[k];
    }
  }
  for (int k = size - 1; k >= 0; k--) {
    for (int j = k + 1; j < size; j++)
      x[k] -= S[k * size + j] * x[j];
    x[k] /= S[k * size + k];
    sum += r[k] * x[k];
  }
  return sum;
}

/* Return whether the reading of a sensor in the last correction is not credible. */
static int is_incredible(const mb_stream *s, int sensor) {
  const mb_estimator_sensor *own = s->sources[sensor].sensor;
  const int64_t *channels;
  const double *residual, *covariance;
  int columns, size = 0;
  const int count = s->api->innovation(s->filter, &channels, &residual, &covariance, &columns);
  double *r = s->scratch, *S = r + own->count;
  int rows[2] = {0, -1};                /* the first and the last one: they follow one another */
  for (int k = 0; k < count; k++)
    if (is_channel_of(&s->sources[sensor], channels[k])) {
      rows[0] = size ? rows[0] : k;
      rows[1] = k;
      r[size++] = residual[k];
    }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      S[i * size + j] = covariance[(rows[0] + i) * columns + rows[0] + j];
  if (!size || (size == 1 && r[0] * r[0] / S[0] <= s->bounds[sensor]))
    return 0;
  return distance(S, r, size) > s->bounds[sensor];
}

/* Correct by the readings of one sensor alone, from the kept state on; return the status. */
static mb_estimator_status correct_alone(mb_stream *s, const double *values, int sensor) {
  const mb_estimator_sensor *own = s->sources[sensor].sensor;
  s->api->restore(s->filter, s->kept);
  memcpy(s->judged, s->nothing, s->api->channels * sizeof *s->judged);
  memcpy(s->judged + own->first, values + own->first, own->count * sizeof *s->judged);
  return s->api->correct(s->filter, s->judged);
}

/* Note which sensors agree; return whether none with a gate has done so lately. */
static int is_lost(mb_stream *s, int64_t stamp, const double *values, int doubts) {
  int lost = doubts > 0;
  for (int k = 0; k < s->api->sensors; k++) {
    const double longest = SILENT / s->sources[k].sensor->rate * SECOND;
    sensor_note *note = &s->notes[k];
    if (!(s->bounds[k] > 0.0))
      continue;
    if (isfinite(values[s->sources[k].sensor->first])) {
      note->seen = stamp;
      note->row = s->doubted[k] ? note->row + 1 : 0;
    }
    if (note->seen != NEVER && stamp - note->seen <= llrint(longest))
      lost &= note->row >= ENOUGH_IN_A_ROW;
  }
  return lost;
}

mb_estimator_status gates_correct(mb_stream *s, int64_t stamp, const double *values) {
  memset(s->doubted, 0, s->api->sensors);
  if (!s->has_gates)
    return s->api->correct(s->filter, values);
  s->api->save(s->filter, s->kept);
  const mb_estimator_status tried = s->api->correct(s->filter, values);
  if (tried && tried != MB_ESTIMATOR_IMPOSSIBLE)
    return tried;
  int doubts = 0;
  for (int k = 0; k < s->api->sensors; k++) {
    if (!(s->bounds[k] > 0.0))
      continue;
    const mb_estimator_status alone = tried ? correct_alone(s, values, k) : MB_ESTIMATOR_OK;
    if (alone && alone != MB_ESTIMATOR_IMPOSSIBLE)
      return alone;
    s->doubted[k] = alone || is_incredible(s, k);
    doubts += s->doubted[k];
  }
  const int believes = is_lost(s, stamp, values, doubts);
  if (believes)
    memset(s->doubted, 0, s->api->sensors);
  if (!tried && (believes || !doubts))
    return MB_ESTIMATOR_OK;
  s->api->restore(s->filter, s->kept);
  memcpy(s->judged, values, s->api->channels * sizeof *s->judged);
  for (int k = 0; k < s->api->sensors; k++) {
    const mb_estimator_sensor *own = s->sources[k].sensor;
    if (s->doubted[k])
      memcpy(s->judged + own->first, s->nothing, own->count * sizeof *s->judged);
  }
  return s->api->correct(s->filter, s->judged);
}

void gates_begin(mb_stream *s) {
  for (int k = 0; k < s->api->sensors; k++)
    s->notes[k] = (sensor_note){.seen = NEVER};
}
