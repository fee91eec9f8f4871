# Two commands matter: `make demo` and `make test`. Both set up what they need.
# Where ROS 2 is sourced (ROS_DISTRO is set) it is used; elsewhere embedded_ros takes its place.

PYTHON ?= python3
CONTRACT ?= ../shared/ros2_contract
LAUNCH_ARGUMENTS ?=
MINUTES ?= 10

ifdef ROS_DISTRO
VENV ?= .venv-$(ROS_DISTRO)
INSTALL = ros_install
INSTALL_TOOLS = :
TESTS = test src
# ros2 runs launch files with ROS's own Python, which must find the requirements too.
SITE = $$($(VENV)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
RUN = . $(VENV)/bin/activate && . install/setup.sh && export PYTHONPATH="$$PYTHONPATH:$(SITE)" &&
else
VENV ?= .venv
INSTALL = embedded_install
INSTALL_TOOLS = $(PIP) -r requirements-dev.txt
TESTS = test src embedded_ros/test
RUN = . $(VENV)/bin/activate &&
endif

INSTALLED = $(VENV)/installed
TOOLS = $(VENV)/tools
READY = $(VENV)/ready
DEMO_FILTER = $(or $(patsubst estimator:=%,%,$(filter estimator:=%,$(LAUNCH_ARGUMENTS))),error_ekf)
DEMO_READY = $(VENV)/ready_$(DEMO_FILTER)
CRANE_READY = $(VENV)/ready_crane
ROBOT_READY = $(VENV)/ready_robot
CRASH = $(VENV)/crash.txt
# What is imported is compiled to bytecode then; all of it at once takes half a minute.
PIP = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile
SOURCES = requirements.txt requirements-embedded.txt embedded_ros/pyproject.toml \
          $(wildcard src/*/setup.py src/*/package.xml src/*/CMakeLists.txt src/*/msg/*.msg src/*/srv/*.srv)

.PHONY: help demo demo-crane demo-robot soak test lint bench bench-review docs contract setup clean embedded_install ros_install

help:
	@echo 'make demo      the three-simulation method on the four-bar linkage; results in results/latest'
	@echo 'make demo-crane  the load of a hydraulic crane, found while it works; results in results/latest'
	@echo 'make demo-robot  contacts of a parallel robot, told in milliseconds; results in results/latest'
	@echo 'make soak MINUTES=10  a long run: what is lost, how late estimates are, what memory grows'
	@echo 'make test      lint and all tests'
	@echo 'make bench     measurements; results in benchmarks/results'
	@echo 'make bench-review  the benchmark of Rodriguez et al. 2023; takes minutes'
	@echo 'make docs      the documentation site, in build/docs'
	@echo 'make contract  how much of the ROS 2 contract embedded_ros keeps (CONTRACT=folder)'
	@echo 'make setup     only what all of these need: an environment in $(VENV), kernels compiled'
	@echo 'make clean     remove the environment, builds and results'

demo: $(DEMO_READY)
	@rm -f results/latest
	@$(RUN) ros2 launch mb_bringup three_simulation.launch.py record:=true $(LAUNCH_ARGUMENTS)
	@$(RUN) ros2 run mb_bringup verdict results/latest

demo-crane: $(CRANE_READY)
	@rm -f results/latest
	@$(RUN) ros2 launch mb_bringup crane_payload.launch.py record:=true $(LAUNCH_ARGUMENTS)
	@$(RUN) ros2 run mb_bringup verdict results/latest

demo-robot: $(ROBOT_READY)
	@rm -f results/latest
	@$(RUN) ros2 launch mb_bringup parallel_robot_contact.launch.py record:=true $(LAUNCH_ARGUMENTS)
	@$(RUN) ros2 run mb_bringup verdict results/latest

soak: $(DEMO_READY)
	@$(RUN) ros2 run mb_bringup soak --minutes $(MINUTES) $(LAUNCH_ARGUMENTS)

test: setup $(TOOLS) lint
	@$(RUN) CRASH_REPORT=$(CRASH) python -m pytest $(TESTS) || python test/tell_crash.py $(CRASH) $$?

lint: $(TOOLS)
	@$(RUN) ruff check .

bench: setup $(TOOLS)
	@$(RUN) python -m benchmarks

bench-review: setup $(TOOLS)
	@$(RUN) python -m benchmarks --review

docs: setup $(TOOLS)
	@$(RUN) NO_MKDOCS_2_WARNING=1 mkdocs build --quiet
	@echo 'written to build/docs/index.html'

contract: setup $(TOOLS)
	@$(RUN) python3 embedded_ros/test/contract_report.py $(CONTRACT)

setup: $(READY)

$(INSTALLED): $(SOURCES)
	@echo 'Setting up $(VENV) (once; a minute or two)'
	@$(MAKE) --no-print-directory $(INSTALL)
	@touch $@

$(TOOLS): $(INSTALLED) requirements-dev.txt
	@echo '  tools for tests'
	@$(INSTALL_TOOLS)
	@touch $@

# All kernels take minutes to compile.  Those of the demonstration are a third of them.
$(READY): $(INSTALLED)
	@echo '  compiled kernels (once; a few minutes)'
	@$(RUN) python -m mb_estimators.warm_up && python -m mb_contact.warm_up
	@touch $@

$(DEMO_READY): $(INSTALLED)
	@echo '  compiled kernels of the demonstration (once; a minute or two)'
	@$(RUN) python -m mb_estimators.warm_up $(DEMO_FILTER)
	@touch $@

$(CRANE_READY): $(INSTALLED)
	@echo '  compiled kernels of the crane (once; a minute or two)'
	@$(RUN) python -m mb_estimators.warm_up hydraulic_kinematic_ekf && python -m mb_contact.warm_up
	@touch $@

$(ROBOT_READY): $(INSTALLED)
	@echo '  compiled kernels of the robot (once; a minute or two)'
	@$(RUN) python -m mb_estimators.warm_up platform_ekf && python -m mb_contact.warm_up
	@touch $@

embedded_install:
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@echo '  requirements'
	@$(PIP) -r requirements.txt -r requirements-embedded.txt
	@echo '  packages'
	@$(PIP) --no-deps --no-build-isolation -e embedded_ros
	@$(VENV)/bin/embedded-ros install src/*

# ROS's own numpy stays, its message classes are compiled against it; so does its pytest, its
# launch_testing is made for it.  Rerun needs a newer numpy than some of ROS have.
ros_install:
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv --system-site-packages $(VENV)
	@$(VENV)/bin/python -c 'import numpy; print("numpy==" + numpy.__version__)' > $(VENV)/constraints.txt
	@grep -hv -e '^numpy==' -e '^pytest' -e '^rerun-sdk' requirements.txt requirements-dev.txt > $(VENV)/requirements.txt
	@echo '  requirements'
	@$(PIP) -c $(VENV)/constraints.txt -r $(VENV)/requirements.txt
	@echo '  packages'
	@. $(VENV)/bin/activate && colcon build --symlink-install

clean:
	rm -rf $(VENV) build install log results benchmarks/results
