# The SFrame stack-trace section of ELF files, all versions, for Kaitai Struct. 'go generate ./...' writes
# it from the tables of package model.
meta:
  id: sframe
  title: SFrame stack-trace section
  file-extension: sframe
  license: Apache-2.0
  ks-version: '0.10'
doc: |
  The section .sframe of an ELF file: for each function an FDE, and for each range of its code an FRE
  that says how the CFA, the return address and the frame pointer are recovered.
seq:
  - id: section
    type: section
instances:
  order:
    pos: 0
    type: u1
    doc: the first byte of the magic, which gives the byte order
types:
  section:
    meta:
      endian:
        switch-on: _root.order
        cases:
          0xe2: le
          0xde: be
    seq:
      - id: header
        type: header
      - id: aux
        size: header.auxhdr_len
        doc: auxiliary header
    instances:
      header_end:
        value: header.size + header.auxhdr_len
      fres_at:
        value: header_end + header.freoff
      fdes:
        pos: header_end + header.fdeoff
        type:
          switch-on: header.version
          cases:
            1: fde_v1
            2: fde_v2
            3: fde_v3
        repeat: expr
        repeat-expr: header.num_fdes
      fre_section:
        pos: fres_at
        size: header.fre_len
        type: fre_section
    types:
      header:
        seq:
          - id: magic
            type: u2
            valid: 0xdee2
            doc: sfp_magic
          - id: version
            type: u1
            valid:
              any-of: [1, 2, 3]
            doc: sfp_version
          - id: flags
            type: u1
            doc: sfp_flags
          - id: abi_arch
            type: u1
            enum: abi
            doc: sfh_abi_arch
          - id: cfa_fixed_fp_offset
            type: s1
            doc: sfh_cfa_fixed_fp_offset
          - id: cfa_fixed_ra_offset
            type: s1
            doc: sfh_cfa_fixed_ra_offset
          - id: auxhdr_len
            type: u1
            doc: sfh_auxhdr_len
          - id: num_fdes
            type: u4
            doc: sfh_num_fdes
          - id: num_fres
            type: u4
            doc: sfh_num_fres
          - id: fre_len
            type: u4
            doc: sfh_fre_len
          - id: fdeoff
            type: u4
            valid:
              expr: '28 + auxhdr_len + _ + num_fdes * (version == 3 ? 16 : (version == 2 ? 20 : (version == 1 ? 17 : 0))) <= _root._io.size'
            doc: sfh_fdeoff
          - id: freoff
            type: u4
            valid:
              expr: '28 + auxhdr_len + _ + fre_len <= _root._io.size'
            doc: sfh_freoff
        instances:
          size:
            value: 28
            doc: bytes of the header, without the auxiliary one
          fde_sorted:
            value: (flags & 1) != 0
          frame_pointer:
            value: (flags & 2) != 0
          fde_func_start_pcrel:
            value: (flags & 4) != 0
      fre_section: {}
      fde_v1:
        seq:
          - id: start_address
            type: s4
            doc: sfde_func_start_address
          - id: size
            type: u4
            doc: sfde_func_size
          - id: start_fre_off
            type: u4
            doc: sfde_func_start_fre_off
          - id: num_fres
            type: u4
            doc: sfde_func_num_fres
          - id: info
            type: u1
            doc: sfde_func_info
            valid:
              expr: (_ & 0xf) <= 2
        instances:
          fres:
            io: _root.section.fre_section._io
            pos: start_fre_off
            type: fre(info & 0xf)
            repeat: expr
            repeat-expr: num_fres
          mask:
            value: (info & 0x10) != 0
            doc: the FREs describe a repeated block of code
          key_b:
            value: (info & 0x20) != 0
            doc: of AArch64
      fde_v2:
        seq:
          - id: start_address
            type: s4
            doc: sfde_func_start_address
          - id: size
            type: u4
            doc: sfde_func_size
          - id: start_fre_off
            type: u4
            doc: sfde_func_start_fre_off
          - id: num_fres
            type: u4
            doc: sfde_func_num_fres
          - id: info
            type: u1
            doc: sfde_func_info
            valid:
              expr: (_ & 0xf) <= 2
          - id: rep_size
            type: u1
            doc: sfde_func_rep_size
          - id: padding2
            type: u2
            doc: sfde_func_padding2
        instances:
          fres:
            io: _root.section.fre_section._io
            pos: start_fre_off
            type: fre(info & 0xf)
            repeat: expr
            repeat-expr: num_fres
          mask:
            value: (info & 0x10) != 0
            doc: the FREs describe a repeated block of code
          key_b:
            value: (info & 0x20) != 0
            doc: of AArch64
      fde_v3:
        seq:
          - id: start_offset
            type: s8
            doc: sfdi_func_start_offset
          - id: size
            type: u4
            doc: sfdi_func_size
          - id: start_fre_off
            type: u4
            doc: sfdi_func_start_fre_off
        instances:
          attribute:
            io: _root.section.fre_section._io
            pos: start_fre_off
            type: attribute_v3
      attribute_v3:
        seq:
          - id: num_fres
            type: u2
            doc: sfda_func_num_fres
          - id: info
            type: u1
            doc: sfda_func_info
            valid:
              expr: (_ & 0xf) <= 2
          - id: info2
            type: u1
            doc: sfda_func_info2
            valid:
              expr: (_ & 0x1f) <= 1
          - id: rep_size
            type: u1
            doc: sfda_func_rep_size
          - id: fres
            type: fre(info & 0xf)
            repeat: expr
            repeat-expr: num_fres
        instances:
          flexible:
            value: (info2 & 0x1f) == 1
          signal:
            value: (info & 0x80) != 0
          mask:
            value: (info & 0x10) != 0
            doc: the FREs describe a repeated block of code
          key_b:
            value: (info & 0x20) != 0
            doc: of AArch64
      fre:
        params:
          - id: fre_type
            type: u1
        seq:
          - id: start
            type:
              switch-on: fre_type
              cases:
                0: u1
                1: u2
                2: u4
            doc: offset from the start of the function, or of the stub
          - id: info
            type: u1
            valid:
              expr: ((_ >> 5) & 3) != 3 or ((_ >> 1) & 15) == 0
          - id: words
            type:
              switch-on: word_size
              cases:
                0: s1
                1: s2
                2: s4
            repeat: expr
            repeat-expr: num_words
            doc: signed; the control words of a flexible FDE are unsigned
        instances:
          base_is_sp:
            value: (info & 1) != 0
          num_words:
            value: (info >> 1) & 15
          word_size:
            value: (info >> 5) & 3
            doc: 0, 1 or 2 for words of 1, 2 or 4 bytes
          mangled_ra:
            value: (info & 0x80) != 0
enums:
  abi:
    1: aarch64_be
    2: aarch64
    3: amd64
    4: s390x
