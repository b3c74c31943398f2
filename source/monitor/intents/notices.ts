import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, splitGlobalId } from '../../fleet/computers/global-id.ts';
import { orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import type { OperationSpec } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Clock } from '../../foundation/clock.ts';
import { type Binding, isMenuContext, type KeyContext } from '../../keys/binding.ts';
import { orderActionOf } from '../../keys/order-bindings.ts';
import { shownKey, shownKeyOf } from '../../keys/shown-keys.ts';
import type { PortCheck } from '../../operations/operations-state.ts';
import type { BegunOperations } from '../../operations/question.ts';
import { type MessageParts, refusalBecause } from '../../screen/notice.ts';
import type { Screen } from '../../screen/screen.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { cancelledText, outcomeText } from '../../views/phrases/outcome.ts';
import type { HandlerDeps } from './intent-handlers.ts';

/** Shows the address of a newly published port in a notice, once a check has shown whether the port answers. */
export function createPublishNotices(deps: HandlerDeps) {
	const { screenStore, sessions, operations, computerOf, say } = deps;
	const specsAwaitingCheck = new Map<
		string,
		{ id: GlobalId; spec: OperationSpec; earlierCheck: PortCheck | undefined }
	>();

	const checkOf = (id: GlobalId, { port }: OperationSpec) =>
		operations.state().portChecks.find(check => check.id === id && check.port === port);

	function showAddress(id: GlobalId, spec: OperationSpec, { state }: PortCheck) {
		const { computer = '', port = 0 } = spec;
		const ports = computerOf(id)?.reading.ports ?? [];
		const { platform } = sessions.sessionOf(splitGlobalId(id).account);
		const published = ports.find(publishedPort => publishedPort.port === port);
		const address = published?.url ?? platform.publicAddress(computer, port);
		const silenceText = state === 'silent' ? ' (nothing answers yet)' : '';
		// Y copies an address of the computer under the cursor, so the hint is shown only if the cursor is on the
		// computer with the new port.
		const { cursor } = screenStore.getState();
		const isCursorHere = !cursor || cursor.id === id;
		const hint = isCursorHere ? '; Y copies the address' : '';
		const what = `${outcomeText({ ...spec, stage: 'done' })}: `;
		say({ what, why: address, advice: silenceText, hint }, spec.key);
	}

	operations.subscribe(() => {
		for (const { id, spec, earlierCheck } of specsAwaitingCheck.values()) {
			const check = checkOf(id, spec);
			if (!check || check === earlierCheck || check.state === 'asking') continue;
			specsAwaitingCheck.delete(spec.key);
			showAddress(id, spec, check);
		}
	});

	return {
		/** Shows a notice when the check of a published port has ended. If several ports are published at once, shows none. */
		expectCheck({ operations: [first, ...others], ids: [id] }: BegunOperations) {
			if (!first || id === undefined || others.length > 0) return;
			const { spec } = first;
			if (operationRowOf(spec.operation).goal.reaches !== 'published') return;
			specsAwaitingCheck.set(spec.key, { id, spec, earlierCheck: checkOf(id, spec) });
		},
	};
}

/** Says that these operations were cancelled. If they are a whole batch, the line of the batch says the same. */
export function sayCancelled(say: HandlerDeps['say'], specs: readonly OperationSpec[]): void {
	const subjects = new Set(specs.map(({ key, batch = key }) => batch));
	const [subject] = subjects;
	say(cancelledText(specs), subject);
}

/**
 * Says that a key does nothing in this view or menu. In a menu, lists the keys that do something; elsewhere, names the
 * key that opens or closes the help.
 */
export function unboundKeyRefusal(
	bindings: readonly Binding[],
	key: string,
	context: KeyContext,
	hasSeveralAccounts = true,
): MessageParts {
	if (context === 'order') return refusalBecause(noOrderText(bindings, key, hasSeveralAccounts));
	const text = `${shownKey(key)} does nothing here`;
	if (isMenuContext(context) && context !== 'help') {
		const keys = bindings
			.filter(({ contexts }) => contexts.includes(context))
			.flatMap(binding => binding.keys.slice(0, 1));
		return refusalBecause(`${text}: ${[...new Set(keys)].map(shownKey).join(' ')}`);
	}
	const isHelp = context === 'help';
	const hintedKey = shownKeyOf(bindings, isHelp ? 'back' : 'help');
	if (hintedKey === undefined) return refusalBecause(text);
	return { what: '', why: text, advice: ` · ${hintedKey} ${isHelp ? 'closes' : 'help'}` };
}

/** Says that a key chooses no order, and which keys do. The message may stand in the place of the menu. */
function noOrderText(
	bindings: readonly Binding[],
	key: string,
	hasSeveralAccounts: boolean,
): string {
	const choices = orderFields.flatMap(field => {
		const orderKey = shownKeyOf(bindings, orderActionOf(field));
		const isHidden = field === 'account' && !hasSeveralAccounts;
		return orderKey === undefined || isHidden ? [] : [`${orderKey} ${orderRows[field].label}`];
	});
	return `${shownKey(key)} chooses no order: ${choices.join(', ')}`;
}

type PasteNoticeDeps = {
	terminal: Pick<Terminal, 'state' | 'onStateChange'>;
	screenStore: StoreApi<Screen>;
	clock: Clock;
};

const unfinishedPasteText = 'A paste has not ended. Press Esc to end it.';

/** Shows a notice while the terminal has not ended a paste, because all keys are ignored until then. */
export function showUnfinishedPaste({ terminal, screenStore, clock }: PasteNoticeDeps): () => void {
	let isShown = false;
	return terminal.onStateChange(() => {
		const { isPasteUnfinished = false } = terminal.state();
		if (isPasteUnfinished === isShown) return;
		isShown = isPasteUnfinished;
		if (isShown)
			screenStore.setState({
				notice: { text: unfinishedPasteText, shownAt: clock.now(), isLasting: true },
			});
		else if (screenStore.getState().notice?.text === unfinishedPasteText)
			screenStore.setState({ notice: undefined });
	});
}
