import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns a reference to the value of the last render, for listeners that are added only once. All functions of a
 * render share its variables, so a listener that was created in the first render would keep the whole fleet of that
 * time in memory.
 */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
	const latest = useRef(value);
	// A layout effect runs before the next key can arrive.
	useLayoutEffect(() => {
		latest.current = value;
	});
	return latest;
}
