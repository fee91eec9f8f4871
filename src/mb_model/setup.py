from setuptools import find_packages, setup

package_name = 'mb_model'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: [
        'py.typed', 'mechanisms/*.yaml', 'mechanism_file/schema/*.json', 'pictures/templates/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=[
        f'mb_ros=={version}', 'imageio-ffmpeg>=0.8', 'jsonschema>=4.10', 'llvmlite>=0.50',
        'matplotlib>=3.6', 'numba>=0.68', 'numpy>=1.26', 'pillow>=10.2', 'pyyaml>=6.0.1',
        'rich>=13.7', 'rosbags>=0.11', 'scipy>=1.15'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Multibody models: mechanisms, kinematics, dynamics, simulation',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'check = mb_ros.program:command.mb_model.commands.check',
            'describe = mb_ros.program:command.mb_model.commands.describe',
            'schema = mb_ros.program:command.mb_model.commands.schema',
            'simulate = mb_ros.program:command.mb_model.commands.simulate',
            'show = mb_ros.program:command.mb_model.commands.show',
            'model_server = mb_ros.program:node.mb_model.nodes.model_server',
            'model_simulation = mb_ros.program:node.mb_model.nodes.model_simulation',
        ],
    },
)
