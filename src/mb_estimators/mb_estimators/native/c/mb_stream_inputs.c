/* Inputs, each held from its stamp on until the next one, and predictions under them. */

#include "mb_stream_parts.h"

#include <math.h>
#include <string.h>

static const double SAME_STEP = 1e-3;   /* part of a step by which stamps may stray */

/* Return how many inputs have stamps up to one. */
static int until(const mb_stream *s, int64_t stamp) {
  int k = s->input_count;
  while (k && s->input_stamps[k - 1] > stamp)
    k--;
  return k;
}

static void drop_first(mb_stream *s, int count) {
  s->input_count -= count;
  memmove(s->input_stamps, s->input_stamps + count, s->input_count * sizeof *s->input_stamps);
  memmove(s->input_values, s->input_values + count * s->api->inputs,
          s->input_count * s->api->inputs * sizeof(double));
}

void inputs_add(mb_stream *s, int64_t stamp, const double *values) {
  const int width = s->api->inputs;
  int k = until(s, stamp);
  if (k && s->input_stamps[k - 1] == stamp) {
    memcpy(s->input_values + (k - 1) * width, values, width * sizeof(double));
    return;
  }
  if (s->input_count == s->most_inputs) {
    drop_first(s, 1);
    s->counts.crowded++;
    k -= k > 0;
  }
  memmove(s->input_stamps + k + 1, s->input_stamps + k,
          (s->input_count - k) * sizeof *s->input_stamps);
  memmove(s->input_values + (k + 1) * width, s->input_values + k * width,
          (s->input_count - k) * width * sizeof(double));
  s->input_stamps[k] = stamp;
  memcpy(s->input_values + k * width, values, width * sizeof(double));
  s->input_count++;
}

void inputs_forget_before(mb_stream *s, int64_t stamp) {
  const int last = until(s, stamp) - 1;
  if (last > 0)
    drop_first(s, last);
}

mb_estimator_status predict_between(mb_stream *s, int64_t start, int64_t stop) {
  int next = until(s, start);
  while (start < stop) {
    const int64_t end = next < s->input_count && s->input_stamps[next] < stop
                            ? s->input_stamps[next] : stop;
    const double gap = (double)(end - start);
    const double steps = fmax(1.0, ceil(gap / SECOND / s->settings.dt - SAME_STEP));
    const double *held = next ? s->input_values + (next - 1) * s->api->inputs : NULL;
    for (double k = 0.0; k < steps; k++) {
      const mb_estimator_status status =
          s->api->predict(s->filter, gap / SECOND / steps, held);
      if (status)
        return status;
    }
    start = end;
    next++;
  }
  return MB_ESTIMATOR_OK;
}
