import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Operations } from '../operations/operations.ts';
import { addressesOf, type PortCheck } from '../operations/port-check.ts';
import type { Platform } from '../platform/platform.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountState } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';

type PublishNoticeDeps = {
	screens: StoreApi<Screen>;
	operations: Pick<Operations, 'state' | 'subscribe'>;
	platform: Pick<Platform, 'publicAddress' | 'shareAddress'>;
	accountNow: () => AccountState;
	say: (notice: string) => void;
};

/** Shows the address of a newly published port once the port has been checked. */
export function createPublishNotices({
	screens,
	operations,
	platform,
	accountNow,
	say,
}: PublishNoticeDeps) {
	const awaited = new Map<string, { spec: OperationSpec; earlier: PortCheck | undefined }>();

	const checkOf = ({ computer, port }: OperationSpec) =>
		operations.state().checks.find(check => check.id === computer && check.port === port);

	function showAddress(
		{ computer: id = '', name = id, port = 0 }: OperationSpec,
		{ state }: PortCheck,
	) {
		const ports = accountNow().computers.get(id)?.reading.ports ?? [];
		const published = ports.find(each => each.port === port) ?? { port };
		const { address } = addressesOf(platform, id, published);
		const silent = state === 'silent' ? ' (nothing answers yet)' : '';
		// The key copies the address under the cursor, which may have moved since.
		const { cursor } = screens.getState();
		const isHere = !cursor || cursor.id === id;
		say(`${name} published at ${address}${silent}${isHere ? '; Y copies it' : ''}`);
	}

	operations.subscribe(() => {
		for (const { spec, earlier } of awaited.values()) {
			const check = checkOf(spec);
			if (!check || check === earlier || check.state === 'asking') continue;
			awaited.delete(spec.key);
			showAddress(spec, check);
		}
	});

	return {
		/** Expects the check of a port if exactly one port is being published. */
		await(specs: readonly OperationSpec[]) {
			const [spec] = specs;
			if (spec?.operation !== 'publish' || specs.length > 1) return;
			awaited.set(spec.key, { spec, earlier: checkOf(spec) });
		},
	};
}

type PasteNoticeDeps = {
	terminal: Pick<Terminal, 'state' | 'onStateChange'>;
	screens: StoreApi<Screen>;
	clock: Clock;
};

const unfinishedPasteText = 'A paste has not ended. Press Esc to end it.';

/** Explains why keys do nothing while a paste has not ended. */
export function showUnfinishedPaste({ terminal, screens, clock }: PasteNoticeDeps): () => void {
	let isOpen = false;
	return terminal.onStateChange(() => {
		const { isPasteUnfinished = false } = terminal.state();
		if (isPasteUnfinished === isOpen) return;
		isOpen = isPasteUnfinished;
		if (isOpen)
			screens.setState({ notice: { text: unfinishedPasteText, at: clock.now(), isLasting: true } });
		else if (screens.getState().notice?.text === unfinishedPasteText)
			screens.setState({ notice: undefined });
	});
}
