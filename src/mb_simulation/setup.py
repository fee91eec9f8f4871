from glob import glob

from setuptools import find_packages, setup

package_name = 'mb_simulation'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
        ('share/' + package_name + '/collisions', glob('collisions/*.yaml')),
        ('share/' + package_name + '/work_cycles', glob('work_cycles/*.csv')),
    ],
    install_requires=[
        f'mb_contact=={version}', f'mb_estimators=={version}', f'mb_model=={version}',
        f'mb_ros=={version}', f'mb_sensors=={version}', 'mujoco>=4.0', 'numba>=0.68',
        'numpy>=1.26', 'scipy>=1.15'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Simulated machines: prototypes, control, collisions, work cycles, disturbances',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'disturber = mb_ros.program:node.mb_simulation.nodes.disturber',
            'prototype = mb_ros.program:node.mb_simulation.nodes.prototype',
            'work_cycle = mb_ros.program:node.mb_simulation.nodes.work_cycle',
            'mjcf = mb_ros.program:command.mb_simulation.mjcf',
        ],
    },
)
