#include "mb_estimator.h"

#include "@name@.h"

@part_lists@
static const mb_estimator_sensor @name@_sensors[] = {
@sensor_list@
};

static void *@name@_plugin_create(void) { return @name@_create(); }
static void @name@_plugin_destroy(void *e) { @name@_destroy(e); }
static void @name@_plugin_reset(void *e) { @name@_reset(e); }

static mb_estimator_status @name@_plugin_predict(void *e, double dt, const double *inputs) {
  return @name@_predict(e, dt, inputs);
}

static mb_estimator_status @name@_plugin_correct(void *e, const double *readings) {
  return @name@_correct(e, readings);
}

static const double *@name@_plugin_z(const void *e) { return @name@_z(e); }
static const double *@name@_plugin_zd(const void *e) { return @name@_zd(e); }
static const double *@name@_plugin_zdd(const void *e) { return @name@_zdd(e); }
static const double *@name@_plugin_q(const void *e) { return @name@_q(e); }
static const double *@name@_plugin_qd(const void *e) { return @name@_qd(e); }
static const double *@name@_plugin_qdd(const void *e) { return @name@_qdd(e); }
@plugin_force@static void @name@_plugin_covariance(void *e, double *into) {
  @name@_covariance(e, into);
}
static double @name@_plugin_parameter(const void *e, int k, double *deviation) {
  return @name@_parameter(e, k, deviation);
}
static double @name@_plugin_nis(const void *e) { return @name@_nis(e); }
static int @name@_plugin_used(const void *e) { return @name@_used(e); }
static void @name@_plugin_use_gate(void *e, int used) { @name@_use_gate(e, used); }

static int @name@_plugin_rejected(const void *e, const int64_t **channels) {
  return @name@_rejected(e, channels);
}
static int @name@_plugin_innovation(const void *e, const int64_t **channels,
                                    const double **residual, const double **covariance,
                                    int *columns) {
  return @name@_innovation(e, channels, residual, covariance, columns);
}
static void @name@_plugin_save(const void *e, void *state) { @name@_save(e, state); }
static void @name@_plugin_restore(void *e, const void *state) {
  @name@_restore(e, state);
}


const mb_estimator_api *mb_estimator(void) {
  static const mb_estimator_api api = {
    .version = MB_ESTIMATOR_VERSION,
    .name = "@name@", .machine = "@machine@", .filter = "@filter@",
    .degrees = @NAME@_DEGREES, .coordinates = @NAME@_COORDINATES,
    .inputs = @NAME@_INPUTS, .channels = @NAME@_CHANNELS,
    .sensors = sizeof @name@_sensors / sizeof *@name@_sensors,
    .motion_states = @NAME@_MOTION_STATES,
    .degree_names = @name@_degree_names, .coordinate_names = @name@_coordinate_names,
    .input_names = @name@_input_names, .channel_names = @name@_channel_names,
    .sensor_list = @name@_sensors, .longest_step = @NAME@_LONGEST_STEP, .is_timed = @timed@,
    .create = @name@_plugin_create, .destroy = @name@_plugin_destroy,
    .reset = @name@_plugin_reset, .predict = @name@_plugin_predict,
    .correct = @name@_plugin_correct,
    .z = @name@_plugin_z, .zd = @name@_plugin_zd, .zdd = @name@_plugin_zdd,
    .q = @name@_plugin_q, .qd = @name@_plugin_qd, .qdd = @name@_plugin_qdd,
    .force = @force_or_null@, .covariance = @name@_plugin_covariance,
    .parameters = @NAME@_PARAMETERS, .parameter_names = @name@_parameter_names,
    .parameter = @name@_plugin_parameter,
    .nis = @name@_plugin_nis, .used = @name@_plugin_used,
    .use_gate = @name@_plugin_use_gate,
    .rejected = @name@_plugin_rejected, .innovation = @name@_plugin_innovation,
    .words = @name@_words,
    .state_size = @NAME@_STATE_SIZE, .save = @name@_plugin_save,
    .restore = @name@_plugin_restore};
  return &api;
}
