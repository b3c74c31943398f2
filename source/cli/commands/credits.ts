import type { Credits } from '../../fleet/computers/account.ts';
import { type Runway, runwayOf } from '../../fleet/computers/runway.ts';
import type { JsonFields, JsonRecord } from '../../script/command.ts';
import { isoTime } from '../../script/iso-time.ts';
import { labelledLines, plainValues } from '../../script/plain-sections.ts';
import { printAccounts } from '../../script/print-accounts.ts';
import type { AccountState } from '../../store/state.ts';
import { creditsValues, renewsAtOf } from '../../views/billing.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

const creditsFields = {
	balance: 'credits left in total',
	daily: 'credits that are granted each day',
	monthly: 'credits that are granted each month',
	extra: 'credits that were bought',
	expiring: 'credits that expire',
	nonExpiring: 'credits that do not expire',
	canRun: 'false when the balance is too low to run anything',
	burnPerHour: 'credits spent per hour, from the readings of the last hours on this host',
	isEstimate: 'whether the burn rate was measured for less than an hour',
	secondsLeft: 'seconds until the balance is empty at that rate; null if unknown or never empty',
	emptyAt: 'time when the balance is empty at that rate',
	renewsAt: 'time when the plan renews, if it is known; the amount is not told',
} as const satisfies JsonFields;

export const credits: Command = {
	name: 'credits',
	summary: 'show the credits left and how long they last',
	description:
		'The burn rate comes from readings of the monitor, `crowsnest watch` and earlier runs on this\n' +
		'host, for the computers that are active now. From less than an hour of readings it is an estimate (≈).',
	options: severalReadingOptions,
	examples: ['crowsnest credits', 'crowsnest credits --json | jq .balance'],
	json: { form: 'object', fields: creditsFields, formForSeveral: 'array' },
	run: (host, args) =>
		printAccounts(host, args, {
			read: ({ readOrThrow }) => readOrThrow('credits'),
			recordOf(account) {
				return creditsRecord(account, runwayOf(account), host.clock.now());
			},
			textOf(account) {
				const values = creditsValues(account, runwayOf(account), host.clock.now());
				return labelledLines(plainValues(values));
			},
		}),
};

function creditsRecord(account: AccountState, runway: Runway | null, now: number) {
	const { balance = null, ...parts } = account.credits ?? {};
	const remainingCredits: Credits = { balance, ...parts };
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
		isEstimate: runway === null ? null : runway.isEstimate === true,
		secondsLeft: timeLeft === null ? null : Math.round(timeLeft / 1000),
		emptyAt: timeLeft === null ? null : isoTime(now + timeLeft),
		renewsAt: isoTime(renewsAtOf(account)),
	} satisfies JsonRecord<typeof creditsFields>;
}
