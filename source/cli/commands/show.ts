import { computerName } from '../../fleet/computers/computer.ts';
import { CommandError, exitCodes } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import { type Line, line } from '../../lines/line.ts';
import { accountsForWords, findComputer } from '../../script/choose-computers.ts';
import { errorFromFailure, errorText, jsonText, type ParsedArgs } from '../../script/command.ts';
import { type Fleet, type Fleets, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { type Printer, printed, printerFor, sceneOf } from '../../script/print.ts';
import { usesKept } from '../../script/read-accounts.ts';
import type { Host } from '../../session/host.ts';
import { createRowMaker } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import { detail } from '../../views/detail.ts';
import { cannotReadRecordText } from '../../views/phrases/reads.ts';
import { sceneOfRows } from '../../views/read-scene.ts';
import { type Command, onlyArgument } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

export const show: Command = {
	name: 'show',
	isTool: true,
	summary: 'show everything about a computer',
	argumentUsage: 'ID',
	description: 'With several accounts, the account may stand in front of the computer: lab/atlas.',
	options: severalReadingOptions,
	examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
	json: { form: 'object', fields: computerFields, formForSeveral: 'object' },
	run(host, args) {
		const word = onlyArgument(args, 'show', 'one id or name');
		const { accounts, words } = accountsForWords(host, args, [word]);
		const idOrName = words[0]?.idOrName ?? word;
		return withFleets(host, args, accounts, fleets => showComputer(host, args, fleets, idOrName));
	},
};

async function showComputer(
	host: Host,
	args: ParsedArgs,
	fleets: Fleets,
	idOrName: string,
): Promise<number> {
	const { stdout, stderr } = host.program;
	const isJson = args.flag('json');
	const kept = new Set<Fleet>();
	let code: number = exitCodes.done;
	const keeps = (fleet: Fleet, error: CommandError) => {
		const isKept = usesKept(host, args, fleet, error);
		if (isKept) kept.add(fleet);
		return isKept;
	};
	const { fleet, computer: found } = await findComputer(fleets, idOrName, (each, error) => {
		code = exitCodes.partial;
		if (keeps(each, error)) return false;
		if (each.label) stderr.write(errorText(error, isJson, each.label));
		return true;
	});
	if (!kept.has(fleet)) {
		const failure = await readAllDetails(fleet, found.id);
		const attempt = cannotReadRecordText(computerName(found));
		if (failure) keeps(fleet, errorFromFailure(attempt, failure));
	}
	if (kept.has(fleet)) code = exitCodes.failed;
	const computer = fleet.accountNow().computers.get(found.id);
	if (!computer) throw new CommandError('missing', `${idOrName} no longer exists`, '');
	const printer = printerFor(host.program, args);
	const lines = computerLines(fleet, computer, printer);
	stdout.write(isJson ? jsonText(computerRecord(computer, fleet)) : printed(lines, printer));
	return code;
}

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

/** The detail as the monitor has it, but without the addresses that are shared with a token. */
function computerLines(fleet: Fleet, computer: ComputerState, { theme }: Printer): readonly Line[] {
	const { session, label } = fleet;
	const ports = computer.reading.ports?.map(port => ({ ...port, shareToken: undefined }));
	const reading = ports ? { ...computer.reading, ports } : computer.reading;
	const row = createRowMaker(session.account, fleet.accountNow())({ ...computer, reading });
	const scene = {
		...sceneOfRows(sceneOf([fleet], { theme, width: Number.POSITIVE_INFINITY }), [row]),
		addressesOf: () => session.platform,
	};
	const [left, right = []] = detail.title(scene);
	return [
		...(label === undefined ? [] : [line(['Account ', 'faint'], [label])]),
		line(...left, ...right),
		...detail.lines(scene),
	];
}
