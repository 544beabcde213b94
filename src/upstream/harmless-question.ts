/** Nothing that any upstream would refuse, for whoever wants to know whether it answers at all. */
export const HARMLESS_QUESTION = 'Please answer with the one word: Hello';
