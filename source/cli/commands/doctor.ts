import { cleanText } from '../../platform/decoding/clean.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { demoOption, jsonOption, severalAccountsOptions } from '../../shell/options.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { type Check, checkRecord, checkText, mapTexts } from '../doctor/check.ts';

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
	options: [...severalAccountsOptions, demoOption, jsonOption],
	examples: ['crowsnest doctor', 'crowsnest doctor --all-profiles', 'crowsnest doctor --json'],
	json: { form: 'object', fields: doctorFields },
	async run(host, args) {
		const { allChecks } = await import('../doctor/all-checks.ts');
		const { stdout, env } = host.program;
		const isJson = args.flag('json');
		const { hasUnicode } = environmentFrom(env);
		const checks: Check[] = [];
		for await (const uncleanCheck of allChecks(host, args)) {
			const check = mapTexts(uncleanCheck, cleanText);
			checks.push(check);
			if (!isJson) stdout.write(`${checkText(check, hasUnicode)}\n`);
		}
		if (isJson) {
			const at = new Date(host.clock.now()).toISOString();
			const records = checks.map(checkRecord);
			const report = { version: host.version, at, checks: records } satisfies JsonRecord<
				typeof doctorFields
			>;
			stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
		}
		return checks.some(({ status }) => status === 'wrong') ? exitCodes.failed : exitCodes.done;
	},
};
