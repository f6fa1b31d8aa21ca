# A check for rpmlint: it runs sframe-lint on the files of a binary package.
#
# Copy this file to the folder "checks" of rpmlint, and add "SframeCheck" to the list Checks of a configuration. The issues
# are sframe-error, sframe-warning and sframe-unchecked; their details begin with the file and the rule.
# Requires sframe-lint in PATH.
import json
import os
import re
import subprocess

from rpmlint.checks.AbstractCheck import AbstractCheck

COMMAND = ['sframe-lint', '--no-config', '--quiet', '--allow-empty', '--format', 'jsonl', '--']


def plain(text):
    return re.sub(r'[\x00-\x1f\x7f-\x9f]', '?', text)


class SframeCheck(AbstractCheck):
    def __init__(self, config, output):
        super().__init__(config, output)
        output.error_details.update({
            'sframe-error': 'The SFrame stack trace data are wrong: see "sframe-lint explain" and the rule.',
            'sframe-warning': 'The SFrame stack trace data are suspicious: see "sframe-lint explain" and the rule.',
            'sframe-unchecked': 'The SFrame stack trace data could not be checked.'})

    def check_binary(self, pkg):
        root, paths = f'{pkg.filename}!', [pkg.filename]  # sframe-lint reads the package itself
        if not pkg.filename or not os.path.isfile(pkg.filename):  # the package is installed
            root, paths = '', [name for name in pkg.files if name not in pkg.ghost_files]
        try:
            run = subprocess.run(COMMAND + paths, capture_output=True, text=True, errors='replace')
        except OSError as err:
            self.output.add_info('E', pkg, 'sframe-unchecked', str(err))
            return
        for line in run.stdout.splitlines():
            finding = json.loads(line).get('finding')
            if finding and finding['severity'] in ('error', 'warning'):
                member = f'({finding["member"]})' if 'member' in finding else ''
                source = f'{finding["source"]["path"]}:{finding["source"]["line"]}: ' if 'source' in finding else ''
                remedy = f'; help: {finding["help"]}' if 'help' in finding else ''
                name = finding['path'].removeprefix(root)
                self.output.add_info(finding['severity'][0].upper(), pkg, f'sframe-{finding["severity"]}',
                                     plain(name + member), finding['rule'], plain(source + finding['message'] + remedy))
        if run.returncode not in (0, 1):
            for line in run.stderr.splitlines():
                self.output.add_info('E', pkg, 'sframe-unchecked', plain(line.replace(root or '\0', '')))
