import { omittedPortCount, type ReadingField } from '../../fleet/computers/computer.ts';
import { stageText } from '../../fleet/computers/creation-stages.ts';
import { isNotRead } from '../../fleet/computers/not-read.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { Line } from '../../lines/line.ts';
import type { TimeFormatter } from '../../lines/time-text.ts';
import { errorFromFailure, errorText, jsonText, withAccount } from '../../script/command.ts';
import { accountsForWord } from '../../script/computer-words.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import { findComputer } from '../../script/find-computers.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { labelledLines, printed, printerFor } from '../../script/print.ts';
import { usesKept } from '../../script/read-accounts.ts';
import type { ComputerState } from '../../store/state.ts';
import { dataAgeText, detailValues, omittedPortsText, valueText } from '../../views/detail.ts';
import { cellContextOf } from '../../views/fleet/cell-context.ts';
import { errorText as reasonText } from '../../views/phrases/error-advice.ts';
import { cannotReadRecordText } from '../../views/phrases/reads.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

export const show: Command = {
	name: 'show',
	summary: 'show everything about a computer',
	argumentUsage: 'ID',
	description: 'With several accounts, the account may stand in front of the computer: lab/atlas.',
	options: severalReadingOptions,
	examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
	json: { form: 'object', fields: computerFields, formForSeveral: 'object' },
	run(host, args) {
		const [word, ...extraWords] = args.positionals;
		if (word === undefined || extraWords.length > 0) {
			throw new UsageError('show takes one id or name');
		}
		const { accounts, computerWord } = accountsForWord(host, args, word);
		return withFleets(
			host,
			args,
			() => accounts,
			async (fleets, write) => {
				const { stderr } = host.program;
				const report = { stderr, isJson: args.flag('json') };
				const kept = new Set<Fleet>();
				let code: number = exitCodes.done;
				const keeps = (fleet: Fleet, error: CommandError) => {
					const isKept = usesKept(fleet, error, host.clock.now(), report);
					if (isKept) kept.add(fleet);
					return isKept;
				};
				const { fleet, computer: found } = await findComputer(
					fleets,
					computerWord,
					(each, error) => {
						code = exitCodes.partial;
						if (keeps(each, error)) return false;
						if (each.label) stderr.write(errorText(error, report.isJson, each.label));
						return true;
					},
				);
				if (!kept.has(fleet)) {
					const failure = await readAllDetails(fleet, found.id);
					const attempt = cannotReadRecordText(found.reading.name || found.id);
					if (failure) keeps(fleet, errorFromFailure(attempt, failure));
				}
				if (kept.has(fleet)) code = exitCodes.failed;
				const computer = fleet.accountNow().computers.get(found.id);
				if (!computer) throw new CommandError('missing', `${word} no longer exists`, '');
				const { publicAddress } = fleet.session.platform;
				const record = withAccount(
					computerRecord(computer, publicAddress, fleet.accountNow().listFields),
					fleet.label,
				);
				const printer = printerFor(host.program, terminalPreferencesFrom(args));
				const lines = computerLines(fleet, computer, host.clock.now(), printer.theme.times);
				write(args.flag('json') ? jsonText(record) : printed(lines, printer));
				return code;
			},
		);
	},
};

const accountReads = ['subscription', 'release'] as const;

async function readAllDetails(
	{ session, read, readStatus, readDetail }: Fleet,
	id: string,
): Promise<Failure | undefined> {
	// They only add details to the output, so they are read only if the limits allow both reads.
	const hasRoom = session.limiter.slots().other.free.read > accountReads.length;
	const reads = hasRoom ? accountReads.map(read) : [];
	const [status, detail] = await Promise.all([readStatus(id), readDetail(id), ...reads]);
	return [status, detail].find(failure => failure && failure.kind !== 'missing');
}

const notRead = 'not read yet';

const usages = { cpu: 'CPU', memory: 'Memory', storage: 'Storage' } as const;

function computerLines(
	fleet: Fleet,
	computer: ComputerState,
	now: number,
	times: TimeFormatter,
): readonly Line[] {
	const account = fleet.accountNow();
	const { publicAddress } = fleet.session.platform;
	const { id, phase, reading } = computer;
	const omitted = omittedPortCount(reading);
	const waitingFor = () => undefined;
	const context = cellContextOf(account, { now, times, waitingFor, canChange: false });
	const unread = (field: ReadingField) =>
		isNotRead(field, computer, account.listFields) ? notRead : '';
	const error = reading.error === undefined ? notRead : reasonText(reading.error);
	const stage = stageText(reading.stage ?? '') || (reading.stageMessage ?? '');
	const usageOf = (field: keyof typeof usages) => {
		const value = reading[field];
		return value == null ? unread(field) : `${value} %`;
	};
	const values = [
		['Account', fleet.label ?? ''],
		['Name', reading.name ?? ''],
		['Id', id],
		...detailValues(computer, context).map(each => [each.label, valueText(each)] as const),
		['Data', dataAgeText(computer, context)],
		// A computer that is ready has no stage worth a line, and one in error has its reason.
		['Stage', phase === 'creating' ? stage : ''],
		['Error', phase === 'error' ? error : ''],
		...(['cpu', 'memory', 'storage'] as const).map(
			field => [usages[field], usageOf(field)] as const,
		),
		...(reading.ports ?? []).map(
			({ port, url }) => ['Published', `${port}  ${url ?? publicAddress(id, port)}`] as const,
		),
		['Published', omitted > 0 ? omittedPortsText(omitted) : ''],
	] as const;
	return labelledLines(
		values.filter(([, text]) => text !== '').map(([label, text]) => [label, [[text]]]),
	);
}
