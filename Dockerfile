# The packages on ROS 2 Jazzy, built, with the kernels of the demonstration compiled for this processor:
#     docker build --tag mb_state_estimation .
#     docker run --rm --init mb_state_estimation          # make demo; any other command behind it
FROM ros:jazzy AS requirements
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# Some of rosdep's keys are installed by pip.
ENV PIP_BREAK_SYSTEM_PACKAGES=1
COPY src /tmp/manifests/src
# Versions are those of the distribution, whose old ones its servers drop.
# hadolint ignore=DL3008
RUN apt-get update && \
    apt-get install --yes --no-install-recommends python3-pip python3-venv && \
    rosdep update && \
    rosdep install --rosdistro "$ROS_DISTRO" --from-paths /tmp/manifests/src --ignore-src --yes && \
    rm -rf /var/lib/apt/lists/* /tmp/manifests

FROM requirements
WORKDIR /mb_state_estimation
COPY . .
RUN . "/opt/ros/$ROS_DISTRO/setup.bash" && make ".venv-$ROS_DISTRO/ready_error_ekf"
# The entry point of ros:jazzy sources ROS 2.
CMD ["make", "demo"]
