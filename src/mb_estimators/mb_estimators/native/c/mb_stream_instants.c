/* Instants that wait for their readings, and past ones to go back to. */

#include "mb_stream_parts.h"

#include <math.h>
#include <string.h>

int row_from(const row *r, int64_t stamp) {
  int low = 0, high = r->count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (r->at[middle]->stamp < stamp)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

instant *row_put(mb_stream *s, row *r, int64_t stamp) {
  int k = row_from(r, stamp);
  if (k < r->count && r->at[k]->stamp == stamp)
    return r->at[k];
  if (r->count == r->most) {
    row_drop(s, r, 0);
    s->counts.crowded++;
    k -= k > 0;
  }
  instant *one = s->spare.at[--s->spare.count];
  memmove(r->at + k + 1, r->at + k, (r->count - k) * sizeof *r->at);
  r->at[k] = one;
  r->count++;
  one->stamp = stamp;
  one->is_news = 0;
  memset(one->came, 0, s->api->sensors);
  for (int c = 0; c < s->api->channels; c++)
    one->values[c] = NAN;
  return one;
}

void row_drop(mb_stream *s, row *r, int k) {
  s->spare.at[s->spare.count++] = r->at[k];
  r->count--;
  memmove(r->at + k, r->at + k + 1, (r->count - k) * sizeof *r->at);
}

void instant_read(mb_stream *s, instant *one, int sensor, const double *values) {
  const source *own = &s->sources[sensor];
  one->came[sensor] = 1;
  memcpy(one->values + own->sensor->first, values, own->sensor->count * sizeof(double));
}

void state_save(mb_stream *s, void *to) {
  s->api->save(s->filter, to);
  char *rest = (char *)to + s->api->state_size;
  memcpy(rest, &s->now, sizeof s->now);
  rest += sizeof s->now;
  memcpy(rest, s->notes, s->api->sensors * sizeof *s->notes);
  memcpy(rest + s->api->sensors * sizeof *s->notes, s->repeats, s->repeats_size);
}

void state_restore(mb_stream *s, const void *from) {
  s->api->restore(s->filter, from);
  const char *rest = (const char *)from + s->api->state_size;
  memcpy(&s->now, rest, sizeof s->now);
  rest += sizeof s->now;
  memcpy(s->notes, rest, s->api->sensors * sizeof *s->notes);
  memcpy(s->repeats, rest + s->api->sensors * sizeof *s->notes, s->repeats_size);
}

int64_t state_came(const mb_stream *s, const void *state, int sensor) {
  sensor_note note;
  memcpy(&note, (const char *)state + s->api->state_size + sizeof s->now + sensor * sizeof note,
         sizeof note);
  return note.came;
}

void history_begin(mb_stream *s, int64_t stamp) {
  while (s->past.count)
    row_drop(s, &s->past, s->past.count - 1);
  if (s->history)
    state_save(s, row_put(s, &s->past, stamp)->after);
}

int history_reaches(const mb_stream *s, int64_t stamp) {
  const row *past = &s->past;
  if (!past->count || past->at[0]->stamp >= stamp ||
      stamp < past->at[past->count - 1]->stamp - s->history)
    return 0;
  /* a new one would have the oldest go */
  return past->count < past->most || past->at[1]->stamp <= stamp;
}

void history_note(mb_stream *s, const instant *one) {
  if (!s->history)
    return;
  instant *own = row_put(s, &s->past, one->stamp);
  memcpy(own->came, one->came, s->api->sensors);
  memcpy(own->values, one->values, s->api->channels * sizeof(double));
  state_save(s, own->after);
  while (s->past.count > 1 && s->past.at[1]->stamp < one->stamp - s->history)
    row_drop(s, &s->past, 0);
}
