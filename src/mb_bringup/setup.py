from glob import glob

from setuptools import find_packages, setup

package_name = 'mb_bringup'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
        ('share/' + package_name + '/launch', glob('launch/*.launch.py')),
        ('share/' + package_name + '/config', glob('config/*.yaml')),
        ('share/' + package_name + '/ros2_control', glob('ros2_control/*.yaml')),
        ('share/' + package_name + '/rviz', glob('rviz/*.rviz')),
        ('share/' + package_name + '/layouts', glob('layouts/*')),
        *((f'share/{package_name}/{folder}', glob(f'{folder}/*.*') + glob(f'{folder}/LICENSE'))
          for folder in ('recordings', 'recordings/double_pendulum',
                         'recordings/double_pendulum/acrobot', 'recordings/vehicle')),
    ],
    install_requires=[
        f'mb_contact=={version}', f'mb_estimators=={version}', f'mb_evaluation=={version}',
        f'mb_model=={version}', f'mb_ros=={version}', f'mb_sensors=={version}',
        f'mb_simulation=={version}', 'numpy>=1.26', 'pyyaml>=6.0.1'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Launch files, configuration and launch arguments',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'soak = mb_ros.program:command.mb_bringup.nodes.soak',
        ],
    },
)
