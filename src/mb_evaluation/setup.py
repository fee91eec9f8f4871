from setuptools import find_packages, setup

package_name = 'mb_evaluation'

setup(
    name=package_name,
    version='0.1.0',
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['reports/templates/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=['setuptools'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='What runs show: logs, accuracy, reports, pages, comparison and live views',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'accuracy_monitor = mb_ros.program:node.mb_evaluation.nodes.accuracy_monitor',
            'contact_monitor = mb_ros.program:node.mb_evaluation.nodes.contact_monitor',
            'markers = mb_ros.program:node.mb_evaluation.nodes.markers',
            'payload_monitor = mb_ros.program:node.mb_evaluation.nodes.payload_monitor',
            'recorded_monitor = mb_ros.program:node.mb_evaluation.nodes.recorded_monitor',
            'replay_monitor = mb_ros.program:node.mb_evaluation.nodes.replay_monitor',
            'robot_description = mb_ros.program:node.mb_evaluation.nodes.robot_description',
            'web_view = mb_ros.program:node.mb_evaluation.nodes.web_view',
            'weighing_monitor = mb_ros.program:node.mb_evaluation.nodes.weighing_monitor',
            'compare = mb_ros.program:command.mb_evaluation.compare',
            'report = mb_ros.program:command.mb_evaluation.nodes.report',
            'urdf = mb_ros.program:command.mb_evaluation.urdf',
            'verdict = mb_ros.program:command.mb_evaluation.verdict',
        ],
    },
)
