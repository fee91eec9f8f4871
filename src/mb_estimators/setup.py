from setuptools import find_packages, setup

package_name = 'mb_estimators'
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
        f'mb_model=={version}', f'mb_ros=={version}', f'mb_sensors=={version}', 'gtsam>=4.3',
        'matplotlib>=3.6', 'numba>=0.68', 'numpy>=1.26', 'pyyaml>=6.0.1', 'rich>=13.7',
        'scipy>=1.15'],
    python_requires='>=3.11',
    extras_require={'many_machines': ['distributed']},
    zip_safe=True,
    maintainer='The mb_state_estimation developers',
    maintainer_email='maintainers@mb-state-estimation.org',
    description='Kalman filters on multibody models behind one plugin interface',
    license='Apache-2.0',
    entry_points={
        'mb_estimators.filters': [
            'adaptive_error_ekf_fe = '
            'mb_estimators.filters.error_ekf_fe:AdaptiveErrorEkfFe',
            'adekf = mb_estimators.filters.adekf:Adekf',
            'augmented_ekf = mb_estimators.filters.augmented_ekf:AugmentedEkf',
            'branch_filter = mb_estimators.filters.branch_filter:BranchFilter',
            'cekf = mb_estimators.filters.cekf:Cekf',
            'cekf_penalty = mb_estimators.filters.cekf_penalty:CekfPenalty',
            'chaos_ekf = mb_estimators.filters.chaos_ekf:ChaosEkf',
            'ckf = mb_estimators.filters.unscented:Ckf',
            'dekf = mb_estimators.filters.dekf:Dekf',
            'dekf_exponential = mb_estimators.filters.dekf_exponential:DekfExponential',
            'diekf_pm = mb_estimators.filters.dependent:DiekfPm',
            'dual_ukf_error_ekf_fe = '
            'mb_estimators.filters.dual_ukf_error_ekf_fe:DualUkfErrorEkfFe',
            'error_ekf = mb_estimators.filters.error_ekf:ErrorEkf',
            'error_ekf_ej = mb_estimators.filters.error_ekf_ej:ErrorEkfEj',
            'error_ekf_fe = mb_estimators.filters.error_ekf_fe:ErrorEkfFe',
            'fixed_lag_smoother = mb_estimators.filters.window_filters:FixedLagSmoother',
            'hydraulic_ekf = mb_estimators.filters.hydraulic_ekf:HydraulicEkf',
            'hydraulic_kinematic_ekf = '
            'mb_estimators.filters.hydraulic_kinematic_ekf:HydraulicKinematicEkf',
            'h_infinity = mb_estimators.filters.error_ekf_ej:HInfinity',
            'interacting_models = '
            'mb_estimators.filters.interacting_models:InteractingModels',
            'iterated_ekf = mb_estimators.filters.error_ekf_fe:IteratedEkf',
            'kinematic_kf = mb_estimators.filters.kinematic_kf:KinematicKf',
            'moving_horizon = mb_estimators.filters.window_filters:MovingHorizon',
            'platform_ekf = mb_estimators.filters.platform_ekf:PlatformEkf',
            'pulse_ekf = mb_estimators.filters.pulse_ekf:PulseEkf',
            'sckf = mb_estimators.filters.dependent:Sckf',
            'shaping_error_ekf_fe = '
            'mb_estimators.filters.error_ekf_fe:ShapingErrorEkfFe',
            'srukf = mb_estimators.filters.unscented:Srukf',
            'ssukf = mb_estimators.filters.unscented:Ssukf',
            'ssukf_acceleration = mb_estimators.filters.acceleration_points:SsukfAcceleration',
            'ukf = mb_estimators.filters.unscented:Ukf',
            'ukf_acceleration = mb_estimators.filters.acceleration_points:UkfAcceleration',
        ],
        'console_scripts': [
            'estimator = mb_ros.program:node.mb_estimators.nodes.estimator',
            'estimate_bag = mb_ros.program:command.mb_estimators.nodes.estimate_bag',
            'export = mb_ros.program:command.mb_estimators.commands.export',
            'filters = mb_ros.program:command.mb_estimators.commands.filters',
            'fit = mb_ros.program:command.mb_estimators.commands.fit',
            'forward = mb_ros.program:command.mb_estimators.commands.forward',
            'identify_branch = mb_ros.program:command.mb_estimators.commands.identify_branch',
            'inverse = mb_ros.program:command.mb_estimators.commands.inverse',
            'marker_labels = mb_ros.program:node.mb_estimators.nodes.marker_labels',
            'observability = mb_ros.program:command.mb_estimators.commands.observability',
            'smooth = mb_ros.program:command.mb_estimators.commands.smooth',
            'tune = mb_ros.program:command.mb_estimators.commands.tune',
        ],
    },
)
