from setuptools import find_packages, setup

package_name = 'mb_contact'
version = '0.3.0'

setup(
    name=package_name,
    version=version,
    packages=find_packages(exclude=['test']),
    package_data={package_name: ['py.typed', 'native/c/*']},
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/' + package_name]),
        ('share/' + package_name, ['package.xml']),
    ],
    install_requires=[
        f'mb_estimators=={version}', f'mb_model=={version}', f'mb_ros=={version}',
        f'mb_sensors=={version}', 'numba>=0.68', 'numpy>=1.26', 'rich>=13.7'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Unknown masses, forces and contacts from the estimated motion of a mechanism',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'contact_detector = mb_ros.program:node.mb_contact.nodes.contact_detector',
            'contact_thresholds = mb_ros.program:command.mb_contact.commands.contact_thresholds',
            'export = mb_ros.program:command.mb_contact.commands.export',
            'judge_bag = mb_ros.program:command.mb_contact.nodes.judge_bag',
            'payload_estimator = mb_ros.program:node.mb_contact.nodes.payload_estimator',
            'tool_scales = mb_ros.program:node.mb_contact.nodes.tool_scales',
            'weigh_bag = mb_ros.program:command.mb_contact.nodes.weigh_bag',
        ],
    },
)
