/* Messages that repeat all numbers of those before, where noise does not let them.

   White noise of a deviation s that is rounded to a small r repeats itself with a chance of
   r / (2 sqrt(pi) s); two channels together with the product, and so do repeats in a row: two at
   least, with a chance of a millionth at most, are no chance.  Channels count whose last messages
   show noise of the declared size, by differences of third and fourth order, and whose resolution,
   the largest number that divides their differences, is below an eighth of it. */

#include "mb_stream_parts.h"

#include <math.h>
#include <string.h>

enum { FEW = 3, MANY = 5 };             /* pairs that are the same: of white noise, of steps */
static const double FINE = 0.125;       /* resolution, in deviations, of continuous noise */
static const double FINEST = 1e-3;      /* resolution that is still discerned */
static const double SAME = 0.03;        /* deviations that a log may have rounded off */
static const double NOISE = 0.5;        /* median third difference; 3 of white noise */
static const double ROUGH = 1.3;        /* fourth differences beside third ones; 1.9 of white noise */
static const double AT_REST = 0.282;    /* chance of a repeat per deviation of resolution */
static const double IMPOSSIBLE = -6.0;  /* chance of repeats, logarithm to base 10 */

/* Return the median of an odd number of values, which are put in order. */
static double median(double *values, int count) {
  for (int k = 1; k < count; k++)
    for (int i = k; i > 0 && values[i] < values[i - 1]; i--) {
      const double other = values[i];
      values[i] = values[i - 1];
      values[i - 1] = other;
    }
  return values[count / 2];
}

/* Return the largest number that divides differences, but for FINEST (Euclid's algorithm). */
static double resolution(const double *differences, int count) {
  double divisor = 0.0;
  for (int k = 0; k < count; k++) {
    const double other = fabs(differences[k]);
    double larger = divisor > other ? divisor : other, smaller = divisor > other ? other : divisor;
    while (smaller > FINEST) {
      const double rest = fabs(larger - smaller * rint(larger / smaller));
      larger = smaller;
      smaller = rest;
    }
    divisor = larger;
  }
  return divisor;
}

/* Write the differences of `count` values over them. */
static void differ(double *values, int count) {
  for (int k = 0; k + 1 < count; k++)
    values[k] = values[k + 1] - values[k];
}

/* Return the logarithm of the chance that a channel repeats its last one of REMEMBERED values. */
static double chance_of(const double *values, double sigma) {
  double part[REMEMBERED], sized[REMEMBERED], third = 0.0, fourth = 0.0;
  int same = 0, pairs = 0;
  memcpy(part, values, sizeof part);
  differ(part, REMEMBERED);
  for (int k = 0; k < REMEMBERED - 1; k++)
    sized[k] = part[k] / sigma;
  differ(part, REMEMBERED - 1);
  differ(part, REMEMBERED - 2);
  for (int k = 0; k < REMEMBERED - 3; k++)
    third += part[k] * part[k] / (REMEMBERED - 3);
  for (int k = 0; k < REMEMBERED - 4; k++)
    fourth += (part[k + 1] - part[k]) * (part[k + 1] - part[k]) / (REMEMBERED - 4);
  for (int k = 0; k < REMEMBERED - 3; k++)
    part[k] = fabs(part[k]);
  if (!(sigma > 0.0 && median(part, REMEMBERED - 3) >= NOISE * sigma &&
        fourth >= ROUGH * ROUGH * third))
    return 0.0;
  for (int k = 0; k < REMEMBERED; k++)
    for (int i = 0; i < k; i++, pairs++)
      same += fabs(values[k] - values[i]) / sigma <= SAME;
  const double step = resolution(sized, REMEMBERED - 1);
  if (step > FINE || same > MANY)
    return 0.0;
  const double of_step = AT_REST * (step > FINEST ? step : FINEST),
               of_pairs = same > FEW ? (double)same / pairs : 0.0;
  return log10(of_step > of_pairs ? of_step : of_pairs);
}

/* Return the same of a message: of `rows` of so many channels, the last of which is repeated. */
static double chance_of_message(const repeat_note *note, const double *rows, const double *sigmas) {
  double chance = 0.0, values[REMEMBERED];
  int is_zero = 1;
  for (int c = 0; c < note->channels; c++)
    is_zero &= rows[(REMEMBERED - 1) * note->channels + c] == 0.0;
  if (note->rows < REMEMBERED || is_zero)
    return 0.0;
  for (int c = 0; c < note->channels; c++) {
    for (int k = 0; k < REMEMBERED; k++)
      values[k] = rows[k * note->channels + c];
    chance += chance_of(values, sigmas[c]);
  }
  return chance;
}

/* Note a message of so many channels; return whether no chance repeats the ones before so. */
static int is_repeated(repeat_note *note, double *rows, const double *values,
                       const double *sigmas, int channels) {
  const size_t row = channels * sizeof *values;
  note->channels = channels;
  int is_same = note->rows > 0;
  for (int c = 0; is_same && c < channels; c++)
    is_same = rows[(note->rows - 1) * channels + c] == values[c];
  if (is_same) {
    if (!note->repeats)
      note->chance = chance_of_message(note, rows, sigmas);
    note->repeats++;
    return note->repeats >= 2 && (double)note->repeats * note->chance <= IMPOSSIBLE;
  }
  if (note->repeats)            /* what was repeated says nothing of noise */
    note->rows = 0;
  note->repeats = 0;
  if (note->rows == REMEMBERED)
    memmove(rows, rows + channels, (REMEMBERED - 1) * row);
  else
    note->rows++;
  memcpy(rows + (note->rows - 1) * channels, values, row);
  return 0;
}

/* Return the note of a message of some sensors of a topic; where there is none left, that of a
   message that came longest ago is forgotten. */
static repeat_note *note_of(const topic_note *topic, uint64_t sensors, int64_t stamp) {
  repeat_note *oldest = (repeat_note *)topic->notes;
  for (int k = 0; k < topic->sets; k++) {
    repeat_note *note = (repeat_note *)(topic->notes + k * topic->size);
    if (!note->sensors || note->sensors == sensors) {
      note->sensors = sensors;
      note->seen = stamp;
      return note;
    }
    if (note->seen < oldest->seen)
      oldest = note;
  }
  *oldest = (repeat_note){.sensors = sensors, .seen = stamp};
  return oldest;
}

size_t repeats_lay(mb_stream *s, topic_note *topics, char *memory) {
  const mb_estimator_api *api = s->api;
  size_t used = 0;
  s->topic_count = 0;
  for (int first = 0; first < api->sensors && s->settings.leave_out_repeats; first++) {
    int members = 0, channels = 0, is_first = 1;
    for (int k = 0; k < api->sensors; k++)
      if (!strcmp(api->sensor_list[k].topic, api->sensor_list[first].topic)) {
        is_first &= k >= first;
        members++;
        channels += api->sensor_list[k].count;
      }
    if (!is_first)
      continue;
    const topic_note topic = {
        .sets = members < 4 ? (1 << members) - 1 : 2 * members + MOST_SETS,
        .notes = memory ? memory + used : NULL,
        .size = sizeof(repeat_note) + REMEMBERED * channels * sizeof(double)};
    if (memory) {
      topics[s->topic_count] = topic;
      members = 0;
      for (int k = first; k < api->sensors; k++)
        if (!strcmp(api->sensor_list[k].topic, api->sensor_list[first].topic)) {
          s->sources[k].topic = s->topic_count;
          s->sources[k].member = members++;
        }
    }
    used += topic.sets * topic.size;
    s->topic_count++;
  }
  return used;
}

void repeats_leave_out(mb_stream *s, const instant *one, double *values) {
  double *message = s->scratch, *sigmas = message + s->api->channels;
  memset(s->repeated, 0, s->api->sensors);
  for (int t = 0; t < s->topic_count; t++) {
    uint64_t sensors = 0;
    int channels = 0;
    for (int k = 0; k < s->api->sensors; k++) {
      const mb_estimator_sensor *own = s->sources[k].sensor;
      if (!one->came[k] || s->sources[k].topic != t || s->sources[k].member > 63)
        continue;
      sensors |= UINT64_C(1) << s->sources[k].member;
      for (int c = 0; c < own->count; c++) {
        message[channels] = one->values[own->first + c];
        sigmas[channels++] = own->sigma;
      }
    }
    repeat_note *note = sensors ? note_of(&s->topics[t], sensors, one->stamp) : NULL;
    if (!note || !is_repeated(note, (double *)(note + 1), message, sigmas, channels))
      continue;
    for (int k = 0; k < s->api->sensors; k++)
      if (one->came[k] && s->sources[k].topic == t && s->sources[k].member < 64) {
        const mb_estimator_sensor *own = s->sources[k].sensor;
        s->repeated[k] = 1;
        memcpy(values + own->first, s->nothing, own->count * sizeof *values);
      }
  }
}
