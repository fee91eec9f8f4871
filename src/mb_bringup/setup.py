from glob import glob

from setuptools import find_packages, setup

package_name = 'mb_bringup'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['interactive/templates/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
        ('share/' + package_name + '/launch', glob('launch/*.launch.py')),
        ('share/' + package_name + '/config', glob('config/*.yaml')),
        ('share/' + package_name + '/collisions', glob('collisions/*.yaml')),
        ('share/' + package_name + '/work_cycles', glob('work_cycles/*.csv')),
        ('share/' + package_name + '/collisions', glob('collisions/*.yaml')),
        ('share/' + package_name + '/rviz', glob('rviz/*.rviz')),
    ],
    install_requires=['setuptools'],
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='MuJoCo prototype, launch files and reports of the three-simulation method',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'prototype = mb_ros.program:node.mb_bringup.nodes.prototype',
            'accuracy_monitor = mb_ros.program:node.mb_bringup.nodes.accuracy_monitor',
            'contact_monitor = mb_ros.program:node.mb_bringup.nodes.contact_monitor',
            'payload_monitor = mb_ros.program:node.mb_bringup.nodes.payload_monitor',
            'replay_monitor = mb_ros.program:node.mb_bringup.nodes.replay_monitor',
            'markers = mb_ros.program:node.mb_bringup.nodes.markers',
            'robot_description = mb_ros.program:node.mb_bringup.nodes.robot_description',
            'web_view = mb_ros.program:node.mb_bringup.nodes.web_view',
            'disturber = mb_ros.program:node.mb_bringup.nodes.disturber',
            'work_cycle = mb_ros.program:node.mb_bringup.nodes.work_cycle',
            'compare = mb_ros.program:command.mb_bringup.comparison.command',
            'soak = mb_ros.program:command.mb_bringup.nodes.soak',
            'mjcf = mb_ros.program:command.mb_bringup.mjcf',
            'urdf = mb_ros.program:command.mb_bringup.urdf',
            'verdict = mb_ros.program:command.mb_bringup.verdict',
        ],
    },
)
