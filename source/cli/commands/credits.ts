import type { Credits } from '../../fleet/computers/account.ts';
import { type Runway, runwayOf } from '../../fleet/computers/runway.ts';
import { withFleet } from '../../script/fleet.ts';
import { isoTime } from '../../script/json-records.ts';
import { labelledLines, plainValues } from '../../script/plain-sections.ts';
import { type Command, exitCodes, type JsonFields, type JsonRecord } from '../../shell/command.ts';
import { readingOptions } from '../../shell/options.ts';
import { creditsValues } from '../../wording/views/credits-text.ts';

const creditsFields = {
	balance: 'credits left in total',
	daily: 'credits that are granted each day',
	monthly: 'credits that are granted each month',
	extra: 'credits that were bought',
	expiring: 'credits that expire',
	nonExpiring: 'credits that do not expire',
	canRun: 'false when the balance is too low to run anything',
	burnPerHour: 'credits spent per hour, from the readings of the last hours on this host',
	secondsLeft: 'seconds until the balance is empty at that rate; null if unknown or never empty',
	emptyAt: 'time when the balance is empty at that rate',
} as const satisfies JsonFields;

export const credits: Command = {
	name: 'credits',
	summary: 'show the credits left and how long they last',
	description:
		'The burn rate comes from readings of the monitor, `crowsnest watch` and earlier runs on this\n' +
		'host. It needs ten minutes of readings.',
	options: readingOptions,
	examples: ['crowsnest credits', 'crowsnest credits --json | jq .balance'],
	json: { form: 'object', fields: creditsFields },
	run: (host, args) =>
		withFleet(host, args, async ({ readOrThrow }) => {
			const account = await readOrThrow('credits');
			const { balance = null, ...parts } = account.credits ?? {};
			const remainingCredits = { balance, ...parts };
			const runway = runwayOf(account.samples);
			const now = host.clock.now();
			const text = args.flag('json')
				? `${JSON.stringify(creditsRecord(remainingCredits, runway, now), undefined, 2)}\n`
				: labelledLines(plainValues(creditsValues(account, runway, now)));
			host.program.stdout.write(text);
			return exitCodes.done;
		}),
};

function creditsRecord(remainingCredits: Credits, runway: Runway | null, now: number) {
	const timeLeft = runway?.timeLeftMs ?? null;
	return {
		balance: remainingCredits.balance,
		daily: remainingCredits.daily ?? null,
		monthly: remainingCredits.monthly ?? null,
		extra: remainingCredits.extra ?? null,
		expiring: remainingCredits.expiring ?? null,
		nonExpiring: remainingCredits.nonExpiring ?? null,
		canRun: remainingCredits.canRun ?? null,
		burnPerHour: runway?.burnPerHour ?? null,
		secondsLeft: timeLeft === null ? null : Math.round(timeLeft / 1000),
		emptyAt: timeLeft === null ? null : isoTime(now + timeLeft),
	} satisfies JsonRecord<typeof creditsFields>;
}
