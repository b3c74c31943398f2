import { omittedPortCount, type ReadingField } from '../../fleet/computers/computer.ts';
import { stageText } from '../../fleet/computers/creation-stages.ts';
import { isNotRead } from '../../fleet/computers/not-read.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import { errorFromFailure, errorText, withAccount } from '../../script/command.ts';
import { accountsForWords, computersOfWords } from '../../script/computer-words.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { usesKept } from '../../script/kept-fleet.ts';
import { plainContext } from '../../script/plain-list.ts';
import { labelledLines } from '../../script/plain-sections.ts';
import { accountOf } from '../../script/read-accounts.ts';
import type { Host } from '../../session/host.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { dataAgeText, detailValues, omittedPortsText, valueText } from '../../views/detail.ts';
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
		const { accounts, words } = accountsForWords(host, args, [word]);
		return withFleets(
			host,
			args,
			() => accounts,
			async (fleets, write) => {
				let code: number = exitCodes.done;
				const { stderr } = host.program;
				const report = { stderr, isJson: args.flag('json') };
				const kept = new Set<Fleet>();
				const keeps = (fleet: Fleet, error: CommandError) => {
					if (!usesKept(fleet, error, host.clock.now(), report)) return false;
					kept.add(fleet);
					return true;
				};
				const [found] = await computersOfWords(fleets, words, (fleet, error) => {
					code = exitCodes.partial;
					if (keeps(fleet, error)) return 'kept';
					if (fleets.length > 1) stderr.write(errorText(error, report.isJson, fleet.name));
					return 'left out';
				});
				const [named] = found?.computers ?? [];
				if (found && named && !kept.has(found.fleet)) {
					const failure = await readAllDetails(found.fleet, named.id);
					const attempt = cannotReadRecordText(named.reading.name || named.id);
					if (failure) keeps(found.fleet, errorFromFailure(attempt, failure));
				}
				if (found && kept.has(found.fleet)) code = exitCodes.failed;
				const computer = found && named && found.fleet.accountNow().computers.get(named.id);
				if (!computer) throw new CommandError('missing', `${word} no longer exists`, '');
				const { fleet } = found;
				const { publicAddress } = fleet.session.platform;
				const record = withAccount(
					computerRecord(computer, publicAddress, fleet.accountNow().listFields),
					accountOf(fleet),
				);
				const account = [['Account', accountOf(fleet) ?? '']] as const;
				const text = args.flag('json')
					? `${JSON.stringify(record, undefined, 2)}\n`
					: labelledLines(account) +
						computerText(host, fleet.accountNow(), computer, publicAddress);
				write(text);
				return code;
			},
		);
	},
};

const accountReads = ['subscription', 'release'] as const;

/** Resolves with the failure of the reads of the computer, unless it is gone. */
async function readAllDetails(
	{ session, read, readStatus, readDetail }: Fleet,
	id: string,
): Promise<Failure | undefined> {
	// The subscription and the latest version only add details to the output, so they are read only if the
	// limits allow both reads.
	const hasRoom = session.limiter.slots().other.free.read > accountReads.length;
	const reads = hasRoom ? accountReads.map(read) : [];
	const [status, detail] = await Promise.all([readStatus(id), readDetail(id), ...reads]);
	return [status, detail].find(failure => failure && failure.kind !== 'missing');
}

const notRead = 'not read yet';

function computerText(
	{ program, clock }: Host,
	account: AccountState,
	computer: ComputerState,
	publicAddress: (id: string, port: number) => string,
): string {
	const { id, reading } = computer;
	const { hasUnicode } = environmentFrom(program.env);
	const omitted = omittedPortCount(reading);
	const context = plainContext(account, clock.now(), hasUnicode);
	const unread = (field: ReadingField) =>
		isNotRead(field, computer, account.listFields) ? notRead : '';
	const usage = [
		['CPU', 'cpu'],
		['Memory', 'memory'],
		['Storage', 'storage'],
	] as const;
	const error =
		computer.phase === 'error'
			? reading.error === undefined
				? notRead
				: reasonText(reading.error)
			: '';
	const stage = stageText(reading.stage ?? '') || (reading.stageMessage ?? '');
	return labelledLines([
		['Name', reading.name ?? ''],
		['Id', id],
		...detailValues(account, computer, context).map(each => [each.label, valueText(each)] as const),
		['Data', dataAgeText(account, computer, context)],
		// A computer that is ready has no stage worth a line, and one in error has its reason.
		['Stage', computer.phase === 'creating' ? stage : ''],
		['Error', error],
		...usage.map(([label, field]) => {
			const value = reading[field];
			return [label, value == null ? unread(field) : `${value} %`] as const;
		}),
		...(reading.ports ?? []).map(
			({ port, url }) => ['Published', `${port}  ${url ?? publicAddress(id, port)}`] as const,
		),
		['Published', omitted > 0 ? omittedPortsText(omitted) : ''],
	]);
}
