// modes.js - how CodeMirror colours LLVM's IR and disassembly. Written for this page.
import CodeMirror from 'codemirror/lib/codemirror.js';

const words = (text) => new Set(text.split(' '));
const TYPES = words('void half bfloat float double fp128 x86_fp80 ppc_fp128 label token metadata ptr x86_amx x86_mmx opaque');
const OPERATIONS = words(
  'add alloca and addrspacecast ashr atomicrmw bitcast br call callbr catchpad catchret catchswitch cleanuppad cleanupret cmpxchg extractelement extractvalue fadd fcmp fdiv fence fmul fneg fpext fptosi fptoui fptrunc freeze frem fsub getelementptr icmp indirectbr insertelement insertvalue inttoptr invoke landingpad load lshr mul or phi ptrtoint resume ret sdiv select sext shl shufflevector sitofp srem store sub switch trunc udiv uitofp unreachable urem va_arg xor zext'
);
const ATOMS = words('true false null none undef poison zeroinitializer');
const KEYWORDS = words(
  'source_filename target datalayout triple define declare global constant external internal private linkonce linkonce_odr weak weak_odr common appending extern_weak available_externally hidden protected default dllimport dllexport thread_local unnamed_addr local_unnamed_addr type align gc prefix prologue personality section comdat attributes to tail musttail notail inbounds nuw nsw nusw exact disjoint volatile atomic unordered monotonic acquire release acq_rel seq_cst syncscope fast nnan ninf nsz arcp contract afn reassoc eq ne ugt uge ult ule sgt sge slt sle oeq ogt oge olt ole one ord ueq une uno unwind catch filter cleanup within from caller x ccc fastcc coldcc ghccc webkit_jscc anyregcc preserve_mostcc preserve_allcc swiftcc tailcc cc nounwind readnone readonly noinline alwaysinline optnone uwtable returned noundef nonnull signext zeroext byval sret inreg noalias nocapture nest immarg elementtype dereferenceable dereferenceable_or_null range memory module asm sideeffect distinct uselistorder addrspace unwind_dest'
);

CodeMirror.defineMode('llvm', () => ({
  startState: () => ({ quoted: false }),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^;.*/)) return 'comment';
    if (stream.match(/^c?"(?:[^"\\]|\\.)*"?/)) return stream.peek() === ':' ? 'tag' : 'string';
    if (stream.match(/^%(?:"[^"]*"|[-\w$.]+)/)) return 'variable';
    if (stream.match(/^@(?:"[^"]*"|[-\w$.]+)/)) return /^@"?(?:llvm|gc|smd)\./.test(stream.current()) ? 'builtin' : 'variable-2';
    if (stream.match(/^(?:![-\w$.]*|#\d+)/)) return 'meta';
    if (stream.match(/^[-\w$.]+:(?![:])/)) return 'tag';
    if (stream.match(/^i\d+\b/)) return 'type';
    if (stream.match(/^(?:-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|0x[KLMHR]?[\da-fA-F]+)\b/)) return 'number';
    const word = stream.match(/^[A-Za-z_][\w.]*/);
    if (!word) {
      stream.next();
      return null;
    }
    if (TYPES.has(word[0])) return 'type';
    if (OPERATIONS.has(word[0])) return 'keyword';
    if (ATOMS.has(word[0])) return 'atom';
    return KEYWORDS.has(word[0]) ? 'qualifier' : null;
  },
  lineComment: ';',
}));

CodeMirror.defineMode('machine', () => ({
  startState: () => ({ operation: false }),
  token(stream, state) {
    if (stream.sol()) {
      state.operation = true;
      if (stream.match(/^section .*/)) return 'comment';
      if (stream.match(/^[\da-f]+ <.*>:$/) || stream.match(/^[^\s#][^\s]*:/)) return 'tag';
      stream.eatSpace();
      if (stream.match(/^[\da-f]+:(?=\s)/)) return 'meta';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^(?:#\s|\/\/|##).*/)) return 'comment';
    if (state.operation && stream.match(/^\.[\w]+/)) {
      state.operation = false;
      return 'qualifier';
    }
    if (state.operation && stream.match(/^[a-z][\w.]*/)) {
      state.operation = false;
      return 'keyword';
    }
    if (stream.match(/^<[^-\s].*?>(?=\s|$)/)) return 'tag';
    if (stream.match(/^%[a-z]\w*/) || stream.match(/^(?:[xwvqdsbh]\d+|sp|xzr|wzr|[re]?(?:[abcd]x|[sd]i|[sb]p|ip)|r\d+[dwb]?|[abcd]l|[sd]il|[xyz]mm\d+)\b/)) return 'variable-3';
    if (stream.match(/^(?:byte|[dq]?word|xmmword|ymmword|ptr|offset)\b/)) return 'qualifier';
    if (stream.match(/^[$#]?-?(?:0x[\da-f]+|\d+)\b/)) return 'number';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^[\w.$@]+/)) return 'variable-2';
    stream.next();
    return null;
  },
}));
