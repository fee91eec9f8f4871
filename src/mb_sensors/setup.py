from setuptools import find_packages, setup

package_name = 'mb_sensors'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=[
        f'mb_model=={version}', f'mb_ros=={version}', 'canopen>=2.4',
        'msgpack>=1.0', 'numba>=0.68', 'numpy>=1.26', 'pandas>=2.1', 'pyserial>=3.5',
        'python-can>=4.3', 'rosbags>=0.11', 'scipy>=1.15', 'smbus2>=0.6'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Measurement functions, noise models and sensor drivers',
    license='Apache-2.0',
    entry_points={
        'mb_model.checks': ['sensors = mb_sensors.selection:read_sensor'],
        'mb_model.schema': ['sensors = mb_sensors.sensor_schema:sensors_schema'],
        'mb_sensors.sources': [
            'analog = mb_sensors.sources.analog:Analog',
            'bmi160 = mb_sensors.sources.bmi160:Bmi160',
            'can = mb_sensors.sources.can_bus:CanBus',
            'serial_imu = mb_sensors.sources.serial_imu:SerialImu',
        ],
        'console_scripts': [
            'broadcasters = mb_ros.program:node.mb_sensors.nodes.broadcasters',
            'emulate = mb_ros.program:node.mb_sensors.nodes.emulate',
            'encoder_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.encoder_driver',
            'imu_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.imu_driver',
            'import_recording = mb_ros.program:command.mb_sensors.nodes.import_recording',
            'kinds = mb_ros.program:command.mb_sensors.commands.kinds',
            'position_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.position_driver',
            'pressure_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.pressure_driver',
            'range_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver.range_driver',
            'sensor_driver = mb_ros.program:node.mb_sensors.nodes.sensor_driver',
            'virtual_sensors = mb_ros.program:node.mb_sensors.nodes.virtual_sensors',
            'sources = mb_ros.program:command.mb_sensors.commands.sources',
        ],
    },
)
