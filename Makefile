# Two commands matter: `make demo` and `make test`. Both set up what they need.
# Where ROS 2 is sourced (ROS_DISTRO is set) it is used; elsewhere the wheels of ROS 2 are installed.

PYTHON ?= python3
ROS ?= jazzy
CONTRACT ?= ../shared/ros2_contract
LAUNCH_ARGUMENTS ?=
MINUTES ?= 10
BESIDE ?= 0
SEED ?= $(shell date +%s)
WORKERS ?= $(shell nproc)
LOWEST = numpy==1.26.4 matplotlib==3.6.3 pillow==10.2.0 PyYAML==6.0.1 setuptools==68.1.2 pytest==7.4.4 \
         pandas==2.1.4 h5py==3.10.0 pyarrow==14.0.1 mcap==1.2.1 mcap-protobuf-support==0.5.3 protobuf==4.25.0
LOWEST_VENV ?= .venv-lowest
LOWEST_TESTS ?= test src ros_tools/test
# Without bytecode a node needs twice as long to start; where none is wanted elsewhere, ours is read.
unexport PYTHONDONTWRITEBYTECODE

ifdef ROS_DISTRO
VENV ?= .venv-$(ROS_DISTRO)
INSTALL = ros_install
MESSAGES =
# What ROS 2 was built or is tested with stays, whatever others ask for.
CONSTRAINTS = $(VENV)/kept_of_ros.txt
TOOLS_WANTED = requirements-dev.txt
TESTS = test src
SIDE_BY_SIDE =
# colcon's setup.sh fails in a path with a space, its setup.bash does not.
SHELL = /bin/bash
# ros2 runs launch files with ROS's own Python, which must find the requirements too.  They come after
# ROS's own packages, and before the system's, some of which are too old.
SITE = $$($(VENV)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
RUN = . $(VENV)/bin/activate && . install/setup.bash && export PYTHONPATH="$$PYTHONPATH:$(SITE)" &&
else
VENV ?= $(if $(filter jazzy,$(ROS)),.venv,.venv-wheels-$(ROS))
WHEELS = ros_tools/wheels/$(ROS).txt
ifeq ($(wildcard $(WHEELS)),)
$(error ROS=$(ROS): there are wheels of $(basename $(notdir $(wildcard ros_tools/wheels/*.txt))))
endif
INSTALL = wheels_install
MESSAGES = interfaces
CONSTRAINTS = constraints.txt
TOOLS_WANTED = requirements-dev.txt requirements-view.txt
TESTS = test src ros_tools/test
# Whole files are distributed, those first that are found first; conftest.py says more.
SIDE_BY_SIDE = --numprocesses=$(WORKERS) --maxprocesses=4 --dist=loadfile --no-loadscope-reorder
RUN = . $(VENV)/bin/activate &&
endif

# Arguments of launch may stand on make's line: make demo estimator:=ukf duration:=5
KNOWN = PYTHON PIP ROS ROS_DISTRO CONTRACT LAUNCH_ARGUMENTS MINUTES BESIDE SEED WORKERS LOWEST LOWEST_VENV LOWEST_TESTS \
        VENV TESTS CONSTRAINTS TOOLS_WANTED WHEELS SHELL
GIVEN := $(filter-out $(KNOWN),$(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name))))
GOALS = help demo demo-crane demo-excavator demo-robot demo-recorded soak test test-all test-lowest test-thorough \
        test-bounds colcon-test accept-outputs lint bench bench-review docs reference contract setup clean wheels_install interfaces kernels \
        ros_install ros_requirements tools
UNKNOWN = $(foreach goal,$(filter-out $(GOALS),$(MAKECMDGOALS)),$(if $(findstring /,$(goal)),,$(goal)))
ifeq ($(MAKELEVEL),0)
ifneq ($(strip $(UNKNOWN)),)
$(error $(strip $(UNKNOWN)): no such goal, expected one of $(GOALS))
endif
ifneq ($(GIVEN),)
ifneq ($(filter-out demo% soak $(VENV)/%,$(or $(MAKECMDGOALS),help)),)
$(error $(GIVEN): no such variable, expected one of $(KNOWN), or an argument of launch after make demo)
endif
override LAUNCH_ARGUMENTS += $(foreach name,$(GIVEN),'$(name):=$($(name))')
endif
endif

PACKAGES = $(VENV)/packages
INSTALLED = $(VENV)/installed
TOOLS = $(VENV)/tools
READY = $(VENV)/ready
DEMO_FILTER = $(or $(estimator),$(patsubst estimator:=%,%,$(filter estimator:=%,$(LAUNCH_ARGUMENTS))),error_ekf)
DEMO_READY = $(VENV)/ready_$(DEMO_FILTER)
CRANE_READY = $(VENV)/ready_crane
EXCAVATOR_READY = $(VENV)/ready_excavator
ROBOT_READY = $(VENV)/ready_robot
RECORDED_READY = $(VENV)/ready_recorded
# What set-up for one demonstration says of all else.
LATER = (once; a minute or two; a command that needs others compiles these, and says so; all now: make setup)
CRASH = $(VENV)/crash.txt
PYTEST = $(RUN) CRASH_REPORT=$(CRASH) python -m pytest $(SIDE_BY_SIDE) $(TESTS)
CRASHED = || python test/crash_report.py $(CRASH) $$?
RETESTED = $(CRASHED) || python test/retest.py $$?
# What is imported is compiled to bytecode then; all of it at once takes half a minute.
PIP = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile
SOURCES = requirements.txt requirements-alone.txt requirements-wheels.txt constraints.txt \
          $(WHEELS) $(wildcard ros_tools/pyproject.toml ros_tools/ros_tools/*.py ros_tools/interfaces/*/*/*) \
          $(wildcard src/*/setup.py src/*/package.xml src/*/CMakeLists.txt src/*/msg/*.msg src/*/srv/*.srv)

.PHONY: $(GOALS)

help:
	@echo 'make demo      the three-simulation method on the four-bar linkage; results in results/latest;'
	@echo '               arguments of launch: make demo estimator:=ukf duration:=5'
	@echo 'make demo-crane  the load of a hydraulic crane, found while it works; results in results/latest'
	@echo 'make demo-excavator  a swaying excavator weighs its bucket, without encoders; results in results/latest;'
	@echo '               duration:=440 for the whole of its work'
	@echo 'make demo-robot  contacts of a parallel robot, detected in milliseconds; results in results/latest'
	@echo 'make demo-recorded  pulses of torque in the recording of a real double pendulum; results in results/latest'
	@echo 'make soak MINUTES=10  a long run: what is lost, how late estimates are, what memory grows;'
	@echo '               BESIDE=2 respawn:=true disturbed:=0.01: under load, with faults'
	@echo 'make test      lint, types and the tests that cover most per second, on WORKERS=$(WORKERS) cores'
	@echo 'make test-all  every test, as .ci/run does'
	@echo 'make test-lowest  make test with the lowest versions that are declared, those of Ubuntu 24.04'
	@echo 'make test-thorough SEED=1  fuzz tests: 91,000 hostile inputs, 11,931,200 steps of filters; prints its seed'
	@echo 'make test-bounds  models and filters with checks of all indices; takes a quarter of an hour'
	@echo 'make colcon-test  tests by colcon, package by package, where ROS 2 is sourced'
	@echo 'make accept-outputs  what filters now give on recordings, as what test/test_outputs.py expects'
	@echo 'make bench     measurements; results in benchmarks/results, ratios in docs/evidence/trend.md'
	@echo 'make bench-review  benchmarks that take minutes each, that of Rodriguez et al. 2023 among them'
	@echo 'make docs      the documentation site, in build/docs'
	@echo 'make reference  the generated pages of docs/reference anew'
	@echo 'make contract  how much of the ROS 2 contract holds here (CONTRACT=folder)'
	@echo 'ROS=kilted     before any of these: the wheels of ROS 2 Kilted in place of Jazzy'
	@echo 'make setup     only what all of these need: an environment in $(VENV), kernels compiled'
	@echo 'make clean     remove the environment, builds and results'

# A launch ends with 1 when its verdict is not good.
demo: $(DEMO_READY)
	@$(RUN) ros2 launch mb_bringup three_simulation.launch.py record:=true $(LAUNCH_ARGUMENTS)

demo-crane: $(CRANE_READY)
	@$(RUN) ros2 launch mb_bringup crane_payload.launch.py record:=true $(LAUNCH_ARGUMENTS)

demo-excavator: $(EXCAVATOR_READY)
	@$(RUN) ros2 launch mb_bringup excavator_weighing.launch.py record:=true $(LAUNCH_ARGUMENTS)

demo-robot: $(ROBOT_READY)
	@$(RUN) ros2 launch mb_bringup parallel_robot_contact.launch.py record:=true $(LAUNCH_ARGUMENTS)

demo-recorded: $(RECORDED_READY)
	@$(RUN) ros2 launch mb_bringup recorded.launch.py record:=true $(LAUNCH_ARGUMENTS)

soak: $(DEMO_READY)
	@$(RUN) ros2 run mb_bringup soak --minutes $(MINUTES) --beside $(BESIDE) $(LAUNCH_ARGUMENTS)

# Tools are installed and used for lint while kernels compile.
test:
	@$(MAKE) --no-print-directory --jobs=2 setup lint
	@$(PYTEST) -m 'not whole' --hypothesis-profile=quick $(RETESTED)

# Every test, in one session: .ci/run runs it.
test-all:
	@$(MAKE) --no-print-directory --jobs=2 setup lint
	@$(PYTEST) $(RETESTED)

# With the lowest declared versions, those of Ubuntu 24.04 under ROS 2 Jazzy, in an environment of its own.
test-lowest:
	@mkdir -p $(LOWEST_VENV) && grep -v '^pytest-re' constraints.txt > $(LOWEST_VENV)/constraints.txt
	@for pin in $(LOWEST); do \
	  sed --in-place "s/^$${pin%%==*}==.*/$$pin/" $(LOWEST_VENV)/constraints.txt; done
	@$(MAKE) --no-print-directory test VENV=$(LOWEST_VENV) CONSTRAINTS=$(LOWEST_VENV)/constraints.txt \
	  TOOLS_WANTED=requirements-dev.txt TESTS='$(LOWEST_TESTS)'

# Fuzz tests with many more examples than in `make test-all`; SEED repeats a run.
test-thorough: setup $(TOOLS)
	@$(PYTEST) -m fuzz --hypothesis-profile=thorough --hypothesis-seed=$(SEED) --timeout=3600 $(CRASHED)

# Compiled code with checks of all indices, in a cache of its own: after a change of records or kernels.
test-bounds: private TESTS = src/mb_model src/mb_estimators src/mb_contact
test-bounds: setup $(TOOLS)
	@export NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(abspath $(VENV))/bounds; $(PYTEST) -m 'not whole' $(CRASHED)

# Package by package, as the build farm of ROS 2 tests; only where ROS 2 is sourced.
colcon-test: setup $(TOOLS)
	@$(RUN) colcon test --event-handlers console_direct+ --return-code-on-test-failure; \
	  code=$$?; colcon test-result --verbose && exit $$code

# Beside the change that changes them, in the same commit.
accept-outputs: setup $(TOOLS)
	@$(RUN) python test/outputs.py

lint: $(TOOLS)
	@$(RUN) ruff check . && python .ci/check_types.py

bench: setup $(TOOLS)
	@$(RUN) python -m benchmarks all --history

bench-review: setup $(TOOLS)
	@$(RUN) python -m benchmarks --review

docs: setup $(TOOLS)
	@$(RUN) NO_MKDOCS_2_WARNING=1 mkdocs build --quiet
	@echo 'written to build/docs/index.html'

reference: setup $(TOOLS)
	@$(RUN) python docs/hooks/reference_pages.py

contract: setup $(TOOLS)
	@$(RUN) python3 ros_tools/test/contract_report.py $(CONTRACT)

setup: $(READY)

$(PACKAGES): $(SOURCES)
	@$(PYTHON) .ci/machine_needed.py
	@echo 'Setting up $(VENV) (once; a minute or two)'
	@$(MAKE) --no-print-directory $(INSTALL)
	@touch $@

$(INSTALLED): $(PACKAGES)
	@$(if $(MESSAGES),$(MAKE) --no-print-directory $(MESSAGES))
	@touch $@

$(TOOLS): $(INSTALLED) requirements-dev.txt requirements-view.txt
	@$(MAKE) --no-print-directory tools
	@touch $@

tools:
	@echo '  tools for tests'
	@$(PIP) -c $(CONSTRAINTS) $(TOOLS_WANTED:%=-r %)

# All kernels take minutes to compile.  Those of a demonstration are a tenth of them.
# Messages are built while the first kernels compile, by the jobs of `make test` where there are such.
ALL_READY = $(READY) $(DEMO_READY) $(CRANE_READY) $(EXCAVATOR_READY) $(ROBOT_READY) $(RECORDED_READY)
SIDE = $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs=2)

$(ALL_READY): $(PACKAGES)
	@echo '  kernels of $(WHAT)'
	@$(MAKE) --no-print-directory $(SIDE) $(INSTALLED) kernels FILTER=$(FILTER)
	@$(RUN) $(THEN)
	@touch $@

kernels:
	@$(RUN) python -m mb_estimators.warm_up $(FILTER)

$(READY): private WHAT = all filters, machines and simulators, on two cores (once; 2 to 4 minutes); later commands compile none
$(READY): private THEN = { python -m mb_contact.warm_up & python -m mb_simulation.warm_up && wait $$!; }

$(DEMO_READY): private WHAT = the demonstration $(LATER)
$(DEMO_READY): private FILTER = $(DEMO_FILTER)
$(DEMO_READY): private THEN = python -m mb_simulation.warm_up four_bar

$(CRANE_READY): private WHAT = the crane $(LATER)
$(CRANE_READY): private FILTER = hydraulic_kinematic_ekf
$(CRANE_READY): private THEN = python -m mb_contact.warm_up && python -m mb_simulation.warm_up crane

$(EXCAVATOR_READY): private WHAT = the excavator $(LATER)
$(EXCAVATOR_READY): private FILTER = kinematic_kf
$(EXCAVATOR_READY): private THEN = python -m mb_contact.warm_up && python -m mb_simulation.warm_up excavator_afloat

$(ROBOT_READY): private WHAT = the robot $(LATER)
$(ROBOT_READY): private FILTER = platform_ekf
$(ROBOT_READY): private THEN = python -m mb_contact.warm_up && python -m mb_simulation.warm_up three_rrr

$(RECORDED_READY): private WHAT = the recording $(LATER)
$(RECORDED_READY): private FILTER = pulse_ekf
$(RECORDED_READY): private THEN = true

# Where there is no compiler, messages are compiled with one from PyPI.
wheels_install:
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@echo '  ROS 2 $(ROS)'
	@$(PIP) --no-deps --require-hashes -r $(WHEELS)
	@$(PIP) -c $(CONSTRAINTS) numpy pyyaml -r requirements-wheels.txt \
	  $$(PYTHONPATH=ros_tools $(VENV)/bin/python -m ros_tools.compiler)
	@echo '  requirements'
	@$(PIP) -c $(CONSTRAINTS) -r requirements.txt
	@$(PIP) -c $(CONSTRAINTS) --no-deps -r requirements-alone.txt
	@echo '  packages'
	@$(PIP) --no-deps --no-build-isolation -e ros_tools
	@$(VENV)/bin/ros-tools install $(filter-out %/mb_interfaces %/mb_realtime,$(wildcard src/*))
	@echo '  mb_realtime is skipped: C++, which needs the rclcpp of a ROS 2'

# Lint and what follows the first kernels may both ask for them: the second finds them built.
interfaces:
	@echo '  messages'
	@PYTHONPATH=ros_tools flock $(VENV)/pyvenv.cfg $(VENV)/bin/python -m ros_tools.install install src/mb_interfaces ros_tools/interfaces/*

ros_install: ros_requirements
	@$(VENV)/bin/python .ci/kept_of_ros.py | diff - $(CONSTRAINTS) || \
	  (echo 'The environment hides what ROS 2 was built with, see above: make clean'; exit 1)
	@echo '  packages'
	@. $(VENV)/bin/activate && colcon build --symlink-install

# A new environment of some Pythons has a setuptools of its own, which would hide ROS's.
ros_requirements:
	@test -x $(VENV)/bin/python || ($(PYTHON) -m venv --system-site-packages $(VENV) && \
	  $(VENV)/bin/python -m pip uninstall --quiet --yes setuptools)
	@$(PYTHON) .ci/kept_of_ros.py > $(CONSTRAINTS)
	@echo '  requirements'
	@$(PIP) -c $(CONSTRAINTS) -r requirements.txt
	@$(PIP) -c $(CONSTRAINTS) --no-deps -r requirements-alone.txt

clean:
	rm -rf $(VENV) build install log results benchmarks/results
