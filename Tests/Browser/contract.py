"""The elements that the pages promise, with words for the error message when an element is missing."""

PAGE = {
    "body[data-connection]": "the state of the connection on the body",
    "body[data-stale]": "whether the page is stale, on the body",
    "#chat": "the main element of the chat page",
    "#title": "the title of the conversation",
    "#security": "the security state, with data-security",
    "#banners": "the list of banners, with role=status",
    "#stale": "the line that says that the page is stale",
    "#rows": "the transcript, with role=log",
    "#load-older": "the button that loads older messages",
    "#composer": "the form that sends a message",
    "#text": "the text field of the form",
    "#send": "the button that sends the message",
    "#file": "the field that chooses files",
    "#record": "the button that starts a voice message",
    "#stop-record": "the button that ends a voice message",
    "#quote": "the quoted message above the text field",
    "#remaining": "the number of characters that can still be typed",
    "#attachments": "the list of chosen files",
    ".attachment": "a chosen file",
    ".limit-error": "the reason why a chosen file cannot be sent",
    "#search-toggle": "the button that opens the search",
    "#search": "the search, with its input",
    "#search-results": "the results of the search",
    "#search-more": "the button that loads more results",
    "#context": "the surroundings of a search result",
    "#context-rows": "the messages around a search result",
    "#context-older": "the button that loads older surroundings",
    "#context-newer": "the button that loads newer surroundings",
    "#context-close": "the button that closes the surroundings",
    "#typing": "the line that says that an operator is typing",
    "#new-messages": "the button that scrolls to the newest message",
    'meta[name="chat-form"]': "the token of the page's forms",
    'meta[name="chat-session"]': "the name of the session",
    "script#chat-state": "the first state, as JSON",
}

DESK = {
    "#inbox": "the list of conversations",
    "#inbox li.conversation": "a conversation, with data-id, data-state and data-waiting",
    "#conversation": "the open conversation",
    "#messages": "the messages of the open conversation, with role=log",
    "#reply": "the form that sends a reply",
    "#reply-text": "the text field of the reply",
    "#reply-send": "the button that sends the reply",
    "#reply-file": "the field that chooses the files of a reply",
    "#canned": "the list of canned answers",
    "#typing": "the line that says that the client is typing",
    "#colleagues": "the other operators in the conversation",
    "#close": "the button that closes the conversation",
    "#close-survey": "the button that closes the conversation with a survey",
    "#desk-search": "the search of the desk",
}


def words(selector: str) -> str:
    """Returns what a selector stands for, or an empty text."""
    for table in (PAGE, DESK):
        if selector in table:
            return table[selector]
    for table in (PAGE, DESK):
        for key, text in table.items():
            if selector.startswith(key + " ") or selector.startswith(key + ":") or selector.startswith(key + "["):
                return "within " + text
    return ""
