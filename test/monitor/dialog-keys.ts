import { createStore } from 'zustand/vanilla';
import type { PasswordRequest } from '../../source/accounts/password-request.ts';
import type { Binding, Intent } from '../../source/keys/binding.ts';
import { bindings as defaultBindings } from '../../source/keys/bindings.ts';
import { createDispatcher } from '../../source/keys/dispatcher.ts';
import { keyContextOf, openDialogOf } from '../../source/keys/open-dialog.ts';
import { createDialogIntents } from '../../source/monitor/intents/dialog-intents.ts';
import { refusedBecause } from '../../source/operations/question.ts';
import type { Question } from '../../source/operations/question-wording.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import type { TypedLine } from '../../source/screen/typed-line.ts';
import { joinPasswordRequests } from '../../source/session/sign-in-request.ts';
import { createHeldClock } from '../held-clock.ts';

type Options = {
	question?: Question;
	passwordRequest?: PasswordRequest;
	screen?: Partial<Screen>;
	bindings?: readonly Binding[];
};

/** Opens a dialog, and presses keys in it through the table of bindings. */
export function openDialog(options: Options) {
	const { bindings = defaultBindings, passwordRequest: request } = options;
	const passwordRequest = joinPasswordRequests({
		all: () => [{ passwordRequest: request }],
		follow: () => () => {},
	});
	const clock = createHeldClock();
	const screenStore = createStore<Screen>(() => ({ ...initialScreen(), ...options.screen }));
	const notices: string[] = [];
	const copied: string[] = [];
	const confirmed: string[] = [];
	const answered: Question[] = [];
	let isKeyAlone = true;
	let { question } = options;
	const dialog = () =>
		openDialogOf(screenStore.getState(), {
			operations: { question },
			passwordPrompt: passwordRequest.prompt(),
		});
	const intents = createDialogIntents({
		screenStore,
		openDialog: dialog,
		operations: {
			answer(complete) {
				answered.push(complete);
				question = undefined;
				return { type: 'begun', operations: [], ids: [] };
			},
			ask: () => refusedBecause('closing', ''),
			closeQuestion() {
				question = undefined;
			},
		},
		passwordRequest,
		bindings: () => bindings,
		signInForm: { edit() {}, answer() {} },
		accountsNow: () => [],
		onAnswered() {},
		onConfirmed: ({ about }) => confirmed.push(about),
		terminal: {
			copyToClipboard(text) {
				copied.push(text);
				return true;
			},
			isKeyAlone: () => isKeyAlone,
		},
		clock,
		say: notice => notices.push(notice),
	});
	const dispatch = createDispatcher(bindings);
	const noRows = {
		ids: [],
		rows: [],
		keptIds: new Set<never>(),
		allRows: [],
		orderedRows: [],
		maxRows: 0,
		maxScroll: () => 0,
		filterCompletions: ({ caret }: TypedLine) => ({ from: caret, to: caret, completions: [] }),
		orderableFields: [],
		isInTrouble: () => false,
		hasTrouble: false,
	};

	function perform(intent: Intent | undefined) {
		if (intent?.type === 'edit') intents.edit(intent, screenStore.getState(), noRows);
		if (intent?.type === 'answer') intents.answer(intent, screenStore.getState(), noRows);
	}

	function press(...keys: readonly string[]) {
		for (const key of keys) {
			const name = key === ' ' ? 'space' : key;
			perform(dispatch(name, keyContextOf(dialog(), screenStore.getState())));
		}
	}

	/**
	 * Notes that the terminal shows the dialog, possibly without the text that a person must read before answering.
	 */
	function show(isCut = false) {
		const entry = dialog()?.entry;
		if (!entry) return;
		const { id, answers } = entry;
		screenStore.setState({
			seenDialog: { id, step: answers.length, visibleSince: clock.now(), isCut },
		});
	}

	return {
		clock,
		screenStore,
		notices,
		copied,
		confirmed,
		answered,
		dialog,
		show,
		/** Presses keys that arrive in one read. */
		pressTogether(...keys: readonly string[]) {
			isKeyAlone = false;
			press(...keys);
			isKeyAlone = true;
		},
		/** Presses keys one after another. A single space is the space bar. */
		press,
		paste: (text: string) => perform({ type: 'edit', edit: { type: 'paste', text } }),
		/** The typed line. */
		typed: () => dialog()?.entry.line.text,
		/** The open question, with its answers, and the reason why the last answer was refused. */
		questionNow() {
			const open = dialog();
			return open?.kind === 'question' ? { ...open.question, ...open.entry } : undefined;
		},
	};
}

/** Opens a question that a person has been able to see for a second. */
export function openQuestion(question: Question, options: Omit<Options, 'question'> = {}) {
	const opened = openDialog({ ...options, question });
	opened.show();
	opened.clock.move(1_000);
	return opened;
}
