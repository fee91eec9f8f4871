/* Times a filter of an exported plugin: PLUGIN READINGS dt instants passes.

   READINGS: doubles of all channels, instant by instant.  Prints the time of predict and correct of
   every instant of the passes [ns]; each pass begins at the start. */

#define _POSIX_C_SOURCE 200809L

#include "mb_estimator.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int count, char **words) {
  void *plugin = count == 6 ? dlopen(words[1], RTLD_NOW) : NULL;
  if (!plugin)
    return 1;
  const mb_estimator_api *api = ((mb_estimator_function)dlsym(plugin, "mb_estimator"))();
  const double dt = atof(words[3]);
  const int instants = atoi(words[4]), passes = atoi(words[5]);
  const size_t numbers = (size_t)instants * api->channels;
  double *readings = malloc(numbers * sizeof *readings);
  long long *times = malloc(instants * sizeof *times);
  FILE *file = fopen(words[2], "rb");
  void *e = api->create();
  if (!readings || !times || !file || !e ||
      fread(readings, sizeof *readings, numbers, file) != numbers)
    return 2;
  for (int pass = 0; pass < passes; pass++) {
    api->reset(e);
    for (int k = 0; k < instants; k++) {
      const long long begin = now();
      if (api->predict(e, dt, NULL) || api->correct(e, readings + (size_t)k * api->channels))
        return 3;
      times[k] = now() - begin;
    }
    for (int k = 0; k < instants; k++)
      printf("%lld\n", times[k]);
  }
  return 0;
}
