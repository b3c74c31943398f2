import { cleanText } from '../../platform/decoding/clean.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { demoOption, jsonOption, severalAccountsOptions } from '../../shell/options.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { allChecks } from '../doctor/all-checks.ts';
import {
	type Check,
	checkRecord,
	checkText,
	doctorText,
	mapTexts,
	problemsIn,
} from '../doctor/check.ts';

const doctorFields = {
	version: 'version of crowsnest',
	at: 'time of the check',
	checks:
		'list of the checks; each has the fields about (what was checked), state (right, unsure, wrong or ' +
		'skipped) and said (what was found), and may have account (its profile, if there are several), advice and ' +
		'shape (the fields of a response)',
} as const satisfies JsonFields;

export const doctor: Command = {
	name: 'doctor',
	summary: 'check everything that crowsnest needs and say how to fix what is wrong',
	description:
		'Says whether crowsnest works here, and if not, what is wrong and what to do. --verbose and --json\n' +
		'show every check, with the fields of the responses.',
	options: [
		...severalAccountsOptions,
		{ name: 'verbose', help: 'show every check, and the fields of each response' },
		demoOption,
		jsonOption,
	],
	examples: ['crowsnest doctor', 'crowsnest doctor --all-profiles', 'crowsnest doctor --json'],
	json: { form: 'object', fields: doctorFields },
	async run(host, args) {
		const { stdout, stderr, env } = host.program;
		const isJson = args.flag('json');
		const isVerbose = args.flag('verbose');
		const { hasUnicode } = environmentFrom(env);
		if (!isJson && stdout.isTTY && stderr.isTTY)
			stderr.write('Checking this machine, the network and the platform\n');
		const checks: Check[] = [];
		for await (const check of allChecks(host, args)) checks.push(mapTexts(check, cleanText));
		if (isJson) {
			const at = new Date(host.clock.now()).toISOString();
			const records = checks.map(checkRecord);
			const report = { version: host.version, at, checks: records } satisfies JsonRecord<
				typeof doctorFields
			>;
			stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
		} else {
			const shown = isVerbose ? checks : problemsIn(checks).slice(1);
			const lines = shown.map(check => checkText(check, { hasUnicode, isVerbose }));
			const rest = isVerbose ? [] : ['', 'crowsnest doctor --verbose shows every check'];
			const below = lines.length > 0 ? ['', ...lines] : [];
			stdout.write(`${[doctorText(checks, hasUnicode), ...below, ...rest].join('\n')}\n`);
		}
		return checks.some(({ status }) => status === 'wrong') ? exitCodes.failed : exitCodes.done;
	},
};
