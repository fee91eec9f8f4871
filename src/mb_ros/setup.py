from setuptools import find_packages, setup

package_name = 'mb_ros'
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
    install_requires=['numpy>=1.26'],
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='What all nodes share: parameters, diagnostics, QoS, conversions',
    license='Apache-2.0',
    entry_points={'console_scripts': [
        'compose = mb_ros.program:node.mb_ros.compose',
        'keep = mb_ros.program:node.mb_ros.keep',
    ]},
)
