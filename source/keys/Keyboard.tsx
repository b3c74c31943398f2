import { useInput, usePaste } from 'ink';
import type { Intent, Place } from './binding.ts';
import type { Dispatcher } from './dispatcher.ts';
import { keyNames } from './key-name.ts';

type Props = {
	dispatcher: Dispatcher;
	/** Asked for every key anew: the key before it may have changed it. */
	placeNow: () => Place;
	onIntent: (intent: Intent) => void;
};

/** The one place where keys come in. A paste is text where text is typed, and nothing elsewhere. */
export function Keyboard({ dispatcher, placeNow, onIntent }: Props): null {
	useInput((input, key) => {
		for (const name of keyNames(input, key)) {
			const intent = dispatcher(name, placeNow());
			if (intent) onIntent(intent);
		}
	});
	usePaste(text => {
		const place = placeNow();
		if (place === 'line' || place === 'palette') onIntent({ type: 'type', text });
		if (place === 'question') onIntent({ type: 'answer', input: { paste: text } });
	});
	return null;
}
