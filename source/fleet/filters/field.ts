/** The key of its row in a table is the name that a person types, as in `cpu:>80`. */
export type Field<T> = {
	kind: FieldKind;
	/** Returns the values of an item: none if the value is unknown, several for a field such as `port`. */
	values: (item: T, now: number) => readonly FieldValue[];
	synonyms?: readonly string[];
	/** All possible values, if the field has a fixed set of them. */
	possibleValues?: readonly string[];
	/** Whether the screen shows a blank for an underscore of the value. The filter accepts both. */
	showsUnderscoresAsBlanks?: boolean;
	/** Whether items share a few values, which are offered to a person who types a part of one. */
	hasFewValues?: boolean;
	/** Examples of what a person types after the colon, for a field whose values are rarely typed themselves. */
	examples?: readonly string[];
	/** Whether nobody has read yet if the item has a value. */
	isUnread?: (item: T) => boolean;
	/** Returns the test for what is typed after the colon, or what can be typed, for a field that is compared in its own way. */
	valueTest?: (typed: string) => ValueTest | string;
};

export type FieldKind = 'text' | 'number' | 'version' | 'duration';

export type FieldValue = string | number;

export type ValueTest = (value: FieldValue) => boolean;

export type FilterTable<T> = {
	fields: Readonly<Record<string, Field<T>>>;
	/** The fields in which a word without a field is searched. */
	searched: readonly Field<T>[];
};

export function fieldNameIn<T>(fields: FilterTable<T>['fields'], word: string): string | undefined {
	const name = word.toLowerCase();
	if (Object.hasOwn(fields, name)) return name;
	return Object.keys(fields).find(each => fields[each]?.synonyms?.includes(name));
}
