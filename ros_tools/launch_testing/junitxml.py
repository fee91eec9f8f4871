"""Results as JUnit XML."""
import xml.etree.ElementTree as ElementTree


def unittestResultsToXml(*, name='launch_test', test_results):
    """Return an ElementTree of test results, {name of a run: result}."""
    root = ElementTree.Element('testsuites', {'name': name})
    root.extend(unittestResultToXml(str(run_name), result)
                for run_name, result in test_results.items())
    for count in ('tests', 'failures', 'errors'):
        root.set(count, str(sum(int(suite.get(count)) for suite in root)))
    root.set('time', f'{sum(float(suite.get("time")) for suite in root):.3f}')
    return ElementTree.ElementTree(root)


def unittestResultToXml(name, test_result):
    """Return the element testsuite of one result."""
    suite = ElementTree.Element('testsuite', {
        'name': name, 'tests': str(test_result.testsRun),
        'failures': str(len(test_result.failures)), 'errors': str(len(test_result.errors)),
        'skipped': str(len(test_result.skipped)),
        'time': f'{sum(test_result.testTimes.values()):.3f}'})
    reported = [test for kind in ('failures', 'errors', 'skipped')
                for test, _ in getattr(test_result, kind)]
    besides = [test for test in reported if test not in test_result.testCases]
    for test in dict.fromkeys([*test_result.testCases, *besides]):      # a failed setUpClass, ...
        suite.append(unittestCaseToXml(test_result, test))
    return suite


def unittestCaseToXml(test_result, test_case):
    """Return the element testcase of one test."""
    kind = type(test_case)
    case = ElementTree.Element('testcase', {
        'classname': f'{kind.__module__}.{kind.__name__}',
        'name': getattr(test_case, '_testMethodName', str(test_case)),
        'time': f'{test_result.testTimes.get(test_case, 0.0):.3f}'})
    for tag, outcomes in (('failure', test_result.failures), ('error', test_result.errors),
                          ('skipped', test_result.skipped)):
        for test, text in outcomes:
            if test is test_case:
                ElementTree.SubElement(case, tag, {'message': text}).text = text
    return case
