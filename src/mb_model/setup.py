from setuptools import find_packages, setup

package_name = 'mb_model'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(exclude=['test']),
    package_data={package_name: [
        'mechanisms/*.yaml', 'mechanism_file/schema/*.json', 'pictures/templates/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=['setuptools'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Multibody models: mechanisms, kinematics, dynamics, simulation',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'check = mb_ros.program:command.mb_model.commands.check',
            'schema = mb_ros.program:command.mb_model.commands.schema',
            'simulate = mb_ros.program:command.mb_model.commands.simulate',
            'show = mb_ros.program:command.mb_model.commands.show',
            'model_server = mb_ros.program:node.mb_model.nodes.model_server',
            'model_simulation = mb_ros.program:node.mb_model.nodes.model_simulation',
        ],
    },
)
