/* Reads an instant from each line of standard input: dt [s], then the readings of all channels, nan
   where there is none.  Writes z, zd and zdd of each, exactly. */

#include "@name@.h"

#include <stdio.h>

static void print(const double *numbers, int count) {
  for (int k = 0; k < count; k++)
    printf("%a ", numbers[k]);
}

int main(void) {
  double dt, readings[@NAME@_CHANNELS];
  @name@ *e = @name@_create();
  if (!e)
    return 1;
  while (scanf("%lf", &dt) == 1) {
    for (int k = 0; k < @NAME@_CHANNELS; k++)
      if (scanf("%lf", &readings[k]) != 1)
        return 1;
    @name@_status status = dt > 0.0 ? @name@_predict(e, dt, NULL) : @NAME@_OK;
    if (!status)
      status = @name@_correct(e, readings);
    if (status && status != @NAME@_IMPOSSIBLE) {
      fprintf(stderr, "%s\n", @name@_words(status));
      return 2;
    }
    print(@name@_z(e), @NAME@_DEGREES);
    print(@name@_zd(e), @NAME@_DEGREES);
    print(@name@_zdd(e), @NAME@_DEGREES);
    printf("\n");
  }
  @name@_destroy(e);
  return 0;
}
