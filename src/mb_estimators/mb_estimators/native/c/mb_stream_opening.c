/* First readings that are confirmed, or denied, by later ones.

   No reading came before the first ones that could deny them.  Where a later one of the opening does
   not fit, or some of the first ones did not fit the start, another run begins there with the later
   one; if a next instant fits that run alone, it was the first readings that were wrong: they count
   as rejected, and the other run goes on.  While instants fit both, both go on: a wrong position and
   a velocity to the right one fit as well. */

#include "mb_stream_parts.h"

#include <string.h>

enum { ENOUGH = 3 };            /* readings that position, velocity, acceleration may fit, right or not */
static const double ABSURD = 30.0;      /* deviations of a channel */

/* Return whether nothing in the last correction is farther off than any noise may be. */
static int all_fits(const mb_stream *s, const instant *one) {
  const int64_t *channels;
  const double *residual, *covariance;
  int columns;
  for (int k = 0; k < s->api->sensors; k++)
    if (one->came[k] && run_has_rejected(s, k))
      return 0;
  const int count = s->api->innovation(s->filter, &channels, &residual, &covariance, &columns);
  for (int k = 0; k < count; k++)
    if (!(residual[k] * residual[k] <= ABSURD * ABSURD * covariance[k * (columns + 1)]))
      return 0;
  return 1;
}

/* Count one more reading of each sensor whose reading fits, or has been used at all. */
static void note_used(const mb_stream *s, const instant *one, int fits, int is_estimate,
                      int64_t *used) {
  const int64_t *channels;
  const double *residual, *covariance;
  int columns;
  const int count =
      is_estimate ? s->api->innovation(s->filter, &channels, &residual, &covariance, &columns) : 0;
  for (int k = 0; k < s->api->sensors; k++) {
    int is_used = fits;
    for (int i = 0; i < count; i++)
      is_used |= is_channel_of(&s->sources[k], channels[i]);
    used[k] += one->came[k] && is_used;
  }
}

/* Take the readings in the other run; return 1 and go on with it if it is right, else 0, the run as
   it was.  fits: whether the readings fit that. */
static int by_the_other(mb_stream *s, const instant *one, opening *own, int fits) {
  const int begins = !own->has_other, was_diverged = s->now.diverged;
  state_save(s, s->main_run);
  state_restore(s, begins ? s->before_opening : s->openings[own->instants].other);
  own->has_other = run_take(s, one, 0) && all_fits(s, one);
  if (own->has_other && (was_diverged || !(begins || fits))) {
    for (int k = 0; k < s->api->sensors; k++) {
      const int64_t came = state_came(s, s->main_run, k);
      s->now.rejected += came - s->notes[k].came;
      s->notes[k].came = came;
    }
    return 1;
  }
  if (own->has_other)
    state_save(s, s->openings[own->instants + 1].other);
  state_restore(s, s->main_run);
  return 0;
}

int opening_take(mb_stream *s, const instant *one) {
  opening own = s->now.opening;
  const int64_t *used = s->openings[own.instants].used;
  int64_t *next = s->openings[own.instants + 1].used;
  int any_used = 0, is_confirmed = 1;
  s->now.opening.is_on = 0;
  if (!own.instants) {
    state_save(s, s->before_opening);
    memset(s->openings[0].used, 0, s->api->sensors * sizeof *used);
  }
  const int is_estimate = run_take(s, one, 0), fits = is_estimate && all_fits(s, one);
  for (int k = 0; k < s->api->sensors; k++) {
    any_used |= used[k] > 0;
    is_confirmed &= !one->came[k] || used[k] >= ENOUGH;
    next[k] = used[k];
  }
  note_used(s, one, fits, is_estimate, next);
  if (any_used && (own.doubted || !fits || own.has_other) && by_the_other(s, one, &own, fits))
    return 1;
  own.doubted = !fits && !own.instants;
  own.instants++;
  own.is_on = own.instants < OPENING && !s->now.diverged &&
              !(fits && is_confirmed && !own.has_other);
  s->now.opening = own;
  return is_estimate;
}
