/* Reads a state from each line of standard input: stamp [ns], z, zd, zdd, and the efforts of the
   drives.  Writes whether something touches, the status, and the forces of each method, exactly. */

#include "@name@.h"

#include <inttypes.h>
#include <stdio.h>

static int read(double *numbers, int count) {
  for (int k = 0; k < count; k++)
    if (scanf("%lf", &numbers[k]) != 1)
      return 0;
  return 1;
}

int main(void) {
  int64_t stamp;
  double z[@NAME@_DEGREES], zd[@NAME@_DEGREES], zdd[@NAME@_DEGREES], efforts[@NAME@_DRIVES];
  @name@ *e = @name@_create();
  if (!e)
    return 1;
  while (scanf("%" SCNd64, &stamp) == 1) {
    if (!read(z, @NAME@_DEGREES) || !read(zd, @NAME@_DEGREES) || !read(zdd, @NAME@_DEGREES) ||
        !read(efforts, @NAME@_DRIVES))
      return 1;
    @name@_status status = @name@_judge(e, stamp, NULL, z, zd, zdd, NULL, 0, efforts, NULL);
    if (status >= @NAME@_FAULT) {
      fprintf(stderr, "%s\n", @name@_words(status));
      return 2;
    }
    printf("%d %d", @name@_detected(e), status);
    for (int method = 0; method < @NAME@_METHODS; method++) {
      const double *force = @name@_force(e, method);
      for (int k = 0; force && k < @NAME@_DEGREES; k++)
        printf(" %a", force[k]);
    }
    printf("\n");
  }
  @name@_destroy(e);
  return 0;
}
