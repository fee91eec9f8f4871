from setuptools import find_packages, setup

package_name = 'mb_evaluation'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed', 'reports/templates/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=[
        f'mb_contact=={version}', f'mb_estimators=={version}', f'mb_import=={version}',
        f'mb_model=={version}', f'mb_ros=={version}', f'mb_sensors=={version}',
        f'mb_simulation=={version}',
        'matplotlib>=3.6', 'numpy>=1.26', 'pandas>=2.1', 'plotly>=7.1', 'rich>=13.7'],
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
            'verdict = mb_ros.program:command.mb_evaluation.verdict',
        ],
    },
)
