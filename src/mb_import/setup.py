from setuptools import find_packages, setup

package_name = 'mb_import'
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
    install_requires=[f'mb_model=={version}', 'mujoco>=4.0', 'numpy>=1.26'],
    extras_require={'mjcf': ['mujoco>=4.0'], 'usd': ['usd-core>=24.11'], 'xacro': ['xacro>=2.1']},
    python_requires='>=3.11',
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Descriptions of machines (URDF, xacro, SDF, MJCF, USD) as mechanisms',
    license='Apache-2.0',
    entry_points={
        'console_scripts': [
            'convert = mb_ros.program:command.mb_import.commands.convert',
            'export = mb_ros.program:command.mb_import.commands.export',
        ],
        'mb_model.readers': [
            'mjcf = mb_import.mapping.reading:mapping_of',
            'sdf = mb_import.mapping.reading:mapping_of',
            'urdf = mb_import.mapping.reading:mapping_of',
            'usd = mb_import.mapping.reading:mapping_of',
            'usda = mb_import.mapping.reading:mapping_of',
            'usdc = mb_import.mapping.reading:mapping_of',
            'usdz = mb_import.mapping.reading:mapping_of',
            'world = mb_import.mapping.reading:mapping_of',
            'xacro = mb_import.mapping.reading:mapping_of',
            'xml = mb_import.mapping.reading:mapping_of',
        ],
    },
)
